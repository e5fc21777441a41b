import { choiceField, searchSchema, textField } from '../ui/search-schema.ts';

export const deviceTabs = [
  'overview',
  'commands',
  'versions',
  'events',
  'location',
  'instances',
  'similar',
  'past',
  'notes',
  'raw',
] as const;
export type DeviceTab = (typeof deviceTabs)[number];

export const deviceSearch = searchSchema({
  tab: choiceField(...deviceTabs),
  sel: textField(64),
  /** The earlier time of the history tab. */
  at: textField(40),
});
export const deviceDefaults = { tab: 'overview', sel: '', at: '' } as const;
