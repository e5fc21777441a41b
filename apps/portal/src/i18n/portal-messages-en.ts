/** The messages of the first load: the layout and the device list. */
const areas = import.meta.glob<Record<string, string>>(
  ['../app/messages/en.json', '../devices/messages/en.json'],
  { eager: true, import: 'default' },
);

export const messages: Readonly<Record<string, string>> = Object.assign(
  {},
  ...Object.values(areas),
);
