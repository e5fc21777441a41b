/** The messages of the first load: the layout and the rows of the device list. */
const areas = import.meta.glob<Record<string, string>>(
  ['../app/messages/en.json', '../devices/list/messages/en.json'],
  { eager: true, import: 'default' },
);

export const messages: Readonly<Record<string, string>> = Object.assign(
  {},
  ...Object.values(areas),
);
