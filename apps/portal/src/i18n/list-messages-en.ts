import palette from '../app/command-palette/messages/en.json';
import shortcuts from '../app/shortcuts/messages/en.json';
import devices from '../devices/messages/en.json';

/** The messages of the device list that are loaded after its rows: the filter, the dialogs, the command palette, and the list of shortcuts. */
export const messages: Readonly<Record<string, string>> = { ...devices, ...palette, ...shortcuts };
