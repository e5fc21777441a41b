import { refusal } from '../refusals/refusal.ts';

export const importRefusals = {
  'import-not-text': refusal('The file is not text. Save a spreadsheet as “CSV UTF-8”.'),
  'import-encoding-unknown': refusal(
    'The file is not in the selected encoding. Save it as “CSV UTF-8”, or select its encoding.',
  ),
  'import-unreadable': refusal(
    'This line is not valid CSV. Check its quotes and its number of columns.',
  ),
  'import-json-invalid': refusal(
    'The file must be a JSON array of objects, or contain one JSON object per line.',
  ),
  'import-row-too-long': refusal('A row has more than {most} characters. Check its quotes.', {
    facts: { most: 'count' },
  }),
  'import-empty': refusal('The file has no rows.'),
  'import-too-many-rows': refusal('The file has more than {most} rows. Split it.', {
    facts: { most: 'count' },
  }),
  'import-header-missing': refusal(
    'The first line must be a header with these columns: {columns}.',
    { facts: { columns: 'text' } },
  ),
  'import-column-repeated': refusal('The column {column} is in the header more than once.', {
    facts: { column: 'text' },
  }),
  'import-value-repeated': refusal('Row {line} already has this value.', {
    facts: { line: 'count' },
  }),
  'import-formula': refusal(
    'This value starts like a formula, which a spreadsheet would run. Remove the first character.',
  ),
  'import-out-of-reach': refusal('This device is outside your scope.'),
  'import-row-outdated': refusal(
    'The stored values have changed since the preview. Import this row again.',
  ),
  'import-state-differs': refusal(
    'The import has changed its state. Check the state, and try again.',
  ),
  'import-changed-since': refusal('It has been changed or used since the import.'),
  'import-undo-ended': refusal('An import can be undone for {hours} hours. This time has passed.', {
    facts: { hours: 'count' },
  }),
  'import-without-new-devices': refusal('This import has added no devices.'),
  'import-claim-exists': refusal('A claim for the devices of this import was already created.'),
  'people-import-needs-all-devices': refusal(
    'People can be imported only with a permission that covers all devices.',
    { facts: { permission: 'permission' }, error: 'noPermission' },
  ),
  'username-invalid': refusal(
    'Enter a username with up to {most} characters, without invisible characters.',
    { facts: { most: 'count' } },
  ),
  'person-name-missing': refusal('Enter the name of the new person.'),
  'email-invalid': refusal('Enter an email address, such as ann@example.com.'),
  'email-taken': refusal('Another person has this email address.'),
  'phone-invalid': refusal('Enter a phone number with its country code, such as +4930123456.'),
  'language-invalid': refusal('Enter a language code, such as en or zh-CN.'),
} as const;
