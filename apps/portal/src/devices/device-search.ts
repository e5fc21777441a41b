import { choiceField, flagField, searchSchema, textField } from '../ui/search-schema.ts';

/** Views of a device. The address names the view. */
const deviceViews = [
  'overview',
  'metrics',
  'commands',
  'versions',
  'events',
  'notes',
  'past',
  'location',
  'similar',
  'instances',
  'terminals',
  'files',
  'webPages',
  'raw',
] as const;
export type DeviceView = (typeof deviceViews)[number];

export const deviceTabs = [
  'overview',
  'metrics',
  'commands',
  'versions',
  'activity',
  'location',
  'more',
] as const;
export type DeviceTab = (typeof deviceTabs)[number];

const viewsByTab: Readonly<Record<DeviceTab, readonly [DeviceView, ...DeviceView[]]>> = {
  overview: ['overview'],
  metrics: ['metrics'],
  commands: ['commands'],
  versions: ['versions'],
  activity: ['events', 'notes', 'past'],
  location: ['location'],
  more: ['similar', 'instances', 'terminals', 'files', 'webPages', 'raw'],
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
  /** Time range of the metrics, and the part of it that was chosen on a chart. */
  range: choiceField('1d', '1h', '6h', '7d', '30d', '1y'),
  from: textField(40),
  to: textField(40),
  /** Whether the metrics are compared with the model's. */
  model: flagField,
  /** Serial number or ID of the device with whose metrics they are compared. */
  with: textField(64),
  /** The folder of the files. */
  path: textField(4_096),
});
export const deviceDefaults = {
  tab: 'overview',
  sel: '',
  at: '',
  range: '1d',
  from: '',
  to: '',
  model: false,
  with: '',
  path: '',
} as const;
