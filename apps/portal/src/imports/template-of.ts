import type { ImportKind } from '@deviceportal/contract/imports';

const csv: Readonly<Record<ImportKind, string>> = {
  devices:
    'serialNumber,name,model,ownerEmail,country,labels\r\n' +
    'SN10000301,Pump 301,Edge 5,ann@example.com,DE,site=Hamburg;line=2\r\n',
  people:
    'username,name,email,phone,country,language\r\n' +
    'ann,Ann Example,ann@example.com,+4930123456,DE,de\r\n',
};

const json: Readonly<Record<ImportKind, unknown>> = {
  devices: [
    {
      serialNumber: 'SN10000301',
      name: 'Pump 301',
      model: 'Edge 5',
      ownerEmail: 'ann@example.com',
      country: 'DE',
      labels: { site: 'Hamburg', line: '2' },
    },
  ],
  people: [
    {
      username: 'ann',
      name: 'Ann Example',
      email: 'ann@example.com',
      phone: '+4930123456',
      country: 'DE',
      language: 'de',
    },
  ],
};

/** A file with all columns and one example row. */
export function templateOf(kind: ImportKind, format: 'csv' | 'json'): File {
  const name = `${kind}-template.${format}`;
  return format === 'csv'
    ? new File([`\uFEFF${csv[kind]}`], name, { type: 'text/csv' })
    : new File([`${JSON.stringify(json[kind], null, 2)}\n`], name, { type: 'application/json' });
}
