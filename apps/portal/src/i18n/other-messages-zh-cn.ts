import { refusalTexts } from '../ui/refusals/refusal-texts-zh-cn.ts';

/** The messages of all screens except the device list. Each screen waits for them. */
const areas = import.meta.glob<Record<string, string>>(
  ['../*/messages/zh-CN.json', '!../app/messages/zh-CN.json', '!../devices/messages/zh-CN.json'],
  { eager: true, import: 'default' },
);

export const messages: Readonly<Record<string, string>> = Object.assign(
  {},
  refusalTexts,
  ...Object.values(areas),
);
