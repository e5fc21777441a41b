/** What the shell and the list of devices say: the first load of the portal. */
const areas = import.meta.glob<Record<string, string>>(
  [
    '../shell/messages/zh-CN.json',
    '../devices/messages/zh-CN.json',
    '../people/messages/zh-CN.json',
    '../session/messages/zh-CN.json',
  ],
  { eager: true, import: 'default' },
);

export const messages: Readonly<Record<string, string>> = Object.assign(
  {},
  ...Object.values(areas),
);
