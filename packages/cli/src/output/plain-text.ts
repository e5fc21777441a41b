/** Control characters except tab and line feed, with which a text could change the terminal. */
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g;

/** A text of a device or a user, without sequences that a terminal would execute. */
export const plainText = (text: string): string => text.replace(CONTROLS, '\uFFFD');

/** The same on one line. */
export const plainLine = (text: string): string => plainText(text).replaceAll(/\s+/g, ' ').trim();
