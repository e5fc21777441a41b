import type { ReportWords } from './report-vocabulary.ts';

const capitalized = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

export const englishReportWords: ReportWords = {
  title: 'User report',
  about: (name) => `User report about ${name}`,
  period: (from, to) => `${from} to ${to}`,
  made: (by, at) => `Created by ${by}, ${at}`,
  reference: (id) => `Report ${id}`,
  page: (page, pages) => `Page ${page} of ${pages}`,
  sections: {
    findings: 'Findings',
    account: 'Person and account',
    devices: 'Devices',
    connectivity: 'Connectivity',
    case: 'Case',
    commands: 'Commands',
    timeline: 'Timeline',
    versions: 'Versions',
    locations: 'Location',
    method: 'Method and gaps',
  },
  plainSections: {
    findings: 'What we found',
    devices: 'Your devices',
    connectivity: 'When your devices were connected',
    case: 'What was done',
    commands: 'What we ran on your devices',
    versions: 'Software',
    locations: 'Where your devices were',
    method: 'How this report was created',
  },
  none: {
    findings: 'Nothing that needs attention.',
    devices: 'No devices.',
    commands: 'No commands in this time range.',
    events: 'No events in this time range.',
    places: 'No location was reported in this time range.',
  },
  column: {
    device: 'Device',
    connection: 'Connection',
    lifecycle: 'Lifecycle',
    model: 'Model',
    software: 'Software',
    country: 'Country',
    lastSeen: 'Last seen',
    time: 'Time',
    command: 'Command',
    result: 'Result',
    duration: 'Duration',
    by: 'By',
    event: 'Event',
    component: 'Component',
    version: 'Version',
    approved: 'Approved',
    state: 'Status',
    since: 'Since',
    change: 'Change',
    place: 'Latitude, longitude',
    accuracy: 'Accuracy',
    source: 'Source',
    rows: 'Rows',
    name: 'Name',
    username: 'Username',
    email: 'Email',
    phone: 'Phone',
    onRecord: 'Added',
    id: 'ID',
    status: 'Account',
    roles: 'Roles',
    lastSignIn: 'Last sign-in',
    about: 'Subject',
    ticket: 'Ticket',
    opened: 'Opened',
    closed: 'Closed',
    outcome: 'Outcome',
    entry: 'Entry',
  },
  severity: { error: 'Error', warning: 'Warning', solved: 'Solved' },
  strip: { online: 'Online', degraded: 'Degraded', offline: 'Offline', unknown: 'Unknown' },
  stripWords: ({ shares, disconnects, coverage }) =>
    shares.length === 0
      ? 'Unknown'
      : [
          capitalized(
            shares.map(({ words, percent }) => `${words.toLowerCase()} ${percent}`).join(', '),
          ),
          disconnects === 1 ? '1 disconnect' : `${disconnects} disconnects`,
          ...(coverage === '' ? [] : [`known for ${coverage}`]),
        ].join(' · '),
  coverage: (known, total) =>
    `${known.count}${known.unit === total.unit ? '' : ` ${known.unit}`} of ${total.count} ${total.unit}`,
  redaction: {
    hidden: (words, what) => `${words}: ${what.join('; ')}.`,
    freeTexts: (shown, total) =>
      `Free text is shown only where the sender included it: ${shown} of ${total} items.`,
    secrets: 'passwords, tokens, and other secrets',
    otherPeople: 'names, email addresses, and phone numbers of other people',
    contact: 'email, phone, and username of the person',
    networks: 'network addresses',
    places: 'locations',
  },
  newestOf: (shown, total) =>
    `Showing the newest ${shown} of ${total}. The tables (CSV) and the JSON contain all of them.`,
  outputOf: (command, device, at) => `${command} on ${device}, ${at}: last lines`,
  mapWords: (count) =>
    count === 1 ? 'Latest location of 1 device' : `Latest locations of ${count} devices`,
  rounded: (degrees) =>
    `Locations are rounded to ${degrees} degree, about ${Math.round(degrees * 111)} km.`,
  countryOnly:
    'If a device reports no location, only its country is known, from the IP address. The circle shows the extent of the country. IP Geolocation by DB-IP (https://db-ip.com).',
  placeSource: {
    gps: 'GPS',
    network: 'Network',
    ip: 'IP address',
    manual: 'Manual entry',
    address: 'IP address',
  },
  somewhereIn: (country) => `Somewhere in ${country}`,
  utc: 'All times are UTC.',
  zone: (zone) => `All times are in your time zone (${zone}).`,
  since: (at) => `since ${at}`,
  until: (at) => `until ${at}`,
  gap: {
    'needs-permission': ({ part, permission }) =>
      `${part} is not included. The user who requested the report does not have the permission ${permission}.`,
    'too-many': ({ what, limit }) =>
      `More than ${limit} ${what}. Only the newest are in the report.`,
    'older-than-kept': ({ what, days }) =>
      `${what} are kept for ${days} days. The time range starts earlier.`,
    'outside-scope': () =>
      'Devices outside the scope of the user who requested the report are not included.',
    'rounded-places': ({ degrees }) => englishReportWords.rounded(Number(degrees ?? 0.1)),
    'journal-gap': ({ device }) => `${device} lost journal entries in this time range.`,
    'still-running': ({ count }) =>
      `${count} commands were still in progress when the report was created.`,
  },
  sourcesIntro:
    'Based on the records in this portal that the user who requested the report can view.',
  sources: {
    person: 'Person',
    device: 'Devices',
    finding: 'Findings',
    invocation: 'Invocations',
    audit_event: 'Audit events',
    device_version: 'Versions on devices',
    device_version_history: 'Version changes',
    geolocation: 'Locations',
    case_entry: 'Case entries',
  },
  distanceUnits: { m: 'm', km: 'km' },
  outcome: {
    resolved: 'Resolved',
    'not-resolved': 'Not resolved',
    'handed-on': 'Handed over',
  },
  downloadPdf: 'Download PDF',
  portal: 'Device Portal',
};
