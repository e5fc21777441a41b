/** Browser information from a user agent, in the contract's format. */
export interface BrowserDescription {
  readonly name?: string;
  readonly os: string;
  readonly version: string;
  readonly appCodeName: string;
  readonly vendor: string;
  readonly product: string;
  readonly productSub: string;
}

interface Maker {
  readonly mark: RegExp;
  readonly code: string;
  readonly vendor: string;
  readonly product: string;
  readonly productSub: string;
}

/**
 * The first match applies, because most user agents also contain "Safari" and many contain
 * "Chrome".
 */
const MAKERS: readonly Maker[] = [
  {
    mark: /Chrome\/([\d.]+)/,
    ...{ code: 'Chrome', vendor: 'Google', product: 'WebKit', productSub: '20030107' },
  },
  {
    mark: /Firefox\/([\d.]+)/,
    ...{ code: 'Firefox', vendor: 'Mozilla', product: 'Gecko', productSub: '20030107' },
  },
  {
    mark: /Safari()\//,
    ...{ code: 'Safari', vendor: 'Apple', product: 'WebKit', productSub: '0' },
  },
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/Windows NT 10/, 'Windows 10'],
  [/Windows NT 6\.3/, 'Windows 8.1'],
  [/Windows NT 6\.2/, 'Windows 8'],
  [/Windows NT 6\.1/, 'Windows 7'],
  [/Windows/, 'Windows'],
  [/Mac/, 'Mac OS'],
  [/X11.*Chrome/, 'UNIX (X11)'],
  [/X11/, 'UNIX'],
  [/Linux/, 'Linux'],
];

/** Parses a user agent. */
export function describeBrowser(userAgent: string): BrowserDescription {
  const maker = MAKERS.find(({ mark }) => mark.test(userAgent));
  const name = browserName(userAgent);
  return {
    ...(name === undefined ? {} : { name }),
    os: SYSTEMS.find(([mark]) => mark.test(userAgent))?.[1] ?? 'Other',
    version: (maker && maker.mark.exec(userAgent)?.[1]) || 'Unknown',
    appCodeName: maker?.code ?? 'Unknown',
    vendor: maker?.vendor ?? 'Unknown',
    product: maker?.product ?? 'Unknown',
    productSub: maker?.productSub ?? '0',
  };
}

function browserName(userAgent: string): string | undefined {
  const direct = /(?:Edg|OPR|Firefox|Chrome)\/[\d.]+/g;
  const found = userAgent.match(direct)?.at(-1);
  if (found) return found.toLowerCase();
  const safari = /Version\/([\d.]+).*Safari/.exec(userAgent)?.[1];
  return safari === undefined ? undefined : `safari/${safari}`;
}
