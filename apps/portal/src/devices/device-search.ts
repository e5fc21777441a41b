import { choiceField, searchSchema, textField } from '../ui/search-schema.ts';

/** Views of a device. The address names the view. */
const deviceViews = [
  'overview',
  'commands',
  'versions',
  'events',
  'notes',
  'past',
  'location',
  'similar',
  'instances',
  'raw',
] as const;
export type DeviceView = (typeof deviceViews)[number];

export const deviceTabs = [
  'overview',
  'commands',
  'versions',
  'activity',
  'location',
  'more',
] as const;
export type DeviceTab = (typeof deviceTabs)[number];

const viewsByTab: Readonly<Record<DeviceTab, readonly [DeviceView, ...DeviceView[]]>> = {
  overview: ['overview'],
  commands: ['commands'],
  versions: ['versions'],
  activity: ['events', 'notes', 'past'],
  location: ['location'],
  more: ['similar', 'instances', 'raw'],
};

/** The views of a tab, the first of which opens with it. */
export const viewsOf = (tab: DeviceTab) => viewsByTab[tab];

export const tabOf = (view: DeviceView): DeviceTab =>
  deviceTabs.find((tab) => viewsOf(tab).includes(view)) ?? 'overview';

export const deviceSearch = searchSchema({
  tab: choiceField(...deviceViews),
  sel: textField(64),
  /** The earlier time of the history tab. */
  at: textField(40),
});
export const deviceDefaults = { tab: 'overview', sel: '', at: '' } as const;
