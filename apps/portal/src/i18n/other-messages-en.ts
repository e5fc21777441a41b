import { refusalTexts } from '../ui/refusals/refusal-texts-en.ts';

/** The messages of all screens except the device list. Each screen waits for them. */
const areas = import.meta.glob<Record<string, string>>(
  ['../*/messages/en.json', '!../app/messages/en.json', '!../devices/messages/en.json'],
  { eager: true, import: 'default' },
);

export const messages: Readonly<Record<string, string>> = Object.assign(
  {},
  refusalTexts,
  ...Object.values(areas),
);
