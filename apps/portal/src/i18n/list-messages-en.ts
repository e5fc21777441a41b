/** The messages of the device list that are loaded after its rows: the filter and the dialogs. */
export { default as messages } from '../devices/messages/en.json';
