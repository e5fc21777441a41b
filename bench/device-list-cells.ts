import type { DeviceFilterInput, DeviceSort } from '@deviceportal/contract/devices';

export const cellClasses = [
  'sort alone',
  'facet',
  'label',
  'combination',
  'exact look-up',
  'text up to 20,000',
  'broad text',
] as const;
export type CellClass = (typeof cellClasses)[number];

/** If matches are adjacent in the sort index, the fleet's size must not matter. */
export const classesThatDoNotGrow: readonly CellClass[] = ['sort alone', 'facet'];

export interface Cell {
  readonly class: CellClass;
  readonly name: string;
  readonly filter: DeviceFilterInput;
  readonly sort: DeviceSort;
  readonly descending: boolean;
}

type Token = NonNullable<DeviceFilterInput['tokens']>[number];
const is = (key: Token['key'], ...values: string[]): Token => ({ key, operator: '=', values });

const filters: readonly (readonly [CellClass, string, DeviceFilterInput])[] = [
  ['sort alone', 'everything', {}],
  ['facet', 'country=PL', { tokens: [is('country', 'PL')] }],
  ['facet', 'country=NZ (rare, late)', { tokens: [is('country', 'NZ')] }],
  ['facet', 'country=NZ,JP', { tokens: [is('country', 'NZ', 'JP')] }],
  ['facet', 'model=kiosk', { tokens: [is('model', 'kiosk')] }],
  ['facet', 'model=terminal (late)', { tokens: [is('model', 'terminal')] }],
  ['facet', 'online', { tokens: [is('connectivity', 'online')] }],
  ['facet', 'offline', { tokens: [is('connectivity', 'offline')] }],
  ['facet', 'degraded', { tokens: [is('connectivity', 'degraded')] }],
  ['facet', 'never', { tokens: [is('connectivity', 'never')] }],
  ['facet', 'suspended', { tokens: [is('lifecycle', 'suspended')] }],
  ['facet', 'disk failing', { tokens: [is('failing', 'disk')] }],
  [
    'facet',
    'offline over a day',
    {
      tokens: [
        is('connectivity', 'offline'),
        { key: 'lastSeen', operator: '<=', values: ['-24h'] },
      ],
    },
  ],
  [
    'facet',
    'added over a day ago',
    { tokens: [{ key: 'added', operator: '<=', values: ['-24h'] }] },
  ],
  ['label', 'batch=b49 (late)', { tokens: [is('label', 'batch:b49')] }],
  ['label', 'batch=b0', { tokens: [is('label', 'batch:b0')] }],
  ['label', 'site=s1999 (late)', { tokens: [is('label', 'site:s1999')] }],
  ['label', 'env=test', { tokens: [is('label', 'env:test')] }],
  [
    'combination',
    'NZ and offline',
    { tokens: [is('country', 'NZ'), is('connectivity', 'offline')] },
  ],
  [
    'combination',
    'NZ and degraded',
    { tokens: [is('country', 'NZ'), is('connectivity', 'degraded')] },
  ],
  ['combination', 'PL and b49', { tokens: [is('country', 'PL'), is('label', 'batch:b49')] }],
  [
    'combination',
    'terminal and offline',
    { tokens: [is('model', 'terminal'), is('connectivity', 'offline')] },
  ],
  [
    'combination',
    'env=test and terminal',
    { tokens: [is('label', 'env:test'), is('model', 'terminal')] },
  ],
  [
    'combination',
    'PL, kiosk and online',
    { tokens: [is('country', 'PL'), is('model', 'kiosk'), is('connectivity', 'online')] },
  ],
  [
    'combination',
    'NZ or degraded',
    { operation: 'or', tokens: [is('country', 'NZ'), is('connectivity', 'degraded')] },
  ],
  ['exact look-up', 'e-mail', { text: 'anna.a8@example.com' }],
  ['exact look-up', 'phone', { text: '+4915100000042' }],
  ['exact look-up', 'serial prefix', { text: 'DP00099' }],
  ['exact look-up', 'serial number', { text: 'dp0000042' }],
  ['text up to 20,000', '"b49"', { text: 'b49' }],
  ['text up to 20,000', '"s1999"', { text: 's1999' }],
  ['text up to 20,000', '"berg 174"', { text: 'berg 174' }],
  ['text up to 20,000', '"terminal-7f"', { text: 'terminal-7f' }],
  ['text up to 20,000', '"kiosk-7f" in PL', { text: 'kiosk-7f', tokens: [is('country', 'PL')] }],
  ['broad text', '"kiosk"', { text: 'kiosk' }],
  ['broad text', '"terminal" (late)', { text: 'terminal' }],
  ['broad text', '"anna"', { text: 'anna' }],
  ['broad text', '"7f"', { text: '7f' }],
  ['broad text', '"terminal", env=test', { text: 'terminal', tokens: [is('label', 'env:test')] }],
];

const sorts: readonly DeviceSort[] = ['serialNumber', 'name', 'lastSeen'];

/** All filters with all sort orders in both directions. */
export const cells: readonly Cell[] = filters.flatMap(([cellClass, name, filter]) =>
  sorts.flatMap((sort) =>
    [false, true].map((descending) => ({ class: cellClass, name, filter, sort, descending })),
  ),
);
