import { createHash } from 'node:crypto';

/** Shows times in the time zone of the reader, which only the browser knows. */
export const sharedScript = `
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
const format = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium' });
for (const time of document.querySelectorAll('time')) time.textContent = format.format(new Date(time.dateTime));
const zone = document.querySelector('[data-zone]');
if (zone && timeZone) zone.textContent = zone.dataset.zone.replace('{zone}', timeZone);
`;

/** Content security policy source that permits only this script. */
export const sharedScriptSource = `'sha256-${createHash('sha256').update(sharedScript).digest('base64')}'`;
