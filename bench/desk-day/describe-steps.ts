import { replaceStrings, type DeskDevice, type DeskStep } from './desk-day.ts';

/** A call as the browser sent it. */
export interface RecordedCall {
  readonly atMs: number;
  /** The HTTP request that contained it. Default: one of its own. */
  readonly request?: number;
  /** The case that the user works on. */
  readonly caseId?: string;
  readonly path: string;
  readonly isMutation: boolean;
  readonly input: unknown;
  readonly answer: unknown;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
/** Shorter texts, such as names of documents, are the same in every installation. */
const SHORTEST_KEPT = 16;
/** Words, such as types of events and permissions, too. */
const WORDS = /^\D*$/;
/** As many devices in a row are one placeholder. */
const LIST = 4;

interface Origin {
  readonly step: number;
  readonly path: string;
  readonly isMutation: boolean;
}

/** The steps of one user, with placeholders in place of what another installation has different values for. */
export function describeSteps(
  calls: readonly RecordedCall[],
  devices: readonly DeskDevice[],
): DeskStep[] {
  const numbers = new Map<string, number>();
  const origins = new Map<string, Origin>();
  const kept = calls.map((): Record<string, string> => ({}));
  const names = new Map<string, string>();
  const steps: DeskStep[] = [];
  const numberOf = (device: DeskDevice): number => {
    const known = numbers.get(device.id) ?? numbers.size + 1;
    numbers.set(device.id, known);
    return known;
  };
  const keep = (text: string, origin: Origin, wish: string): string => {
    const known = names.get(text);
    if (known !== undefined) return `$${known}`;
    let name = wish;
    for (let n = 2; [...names.values()].includes(name); n += 1) name = `${wish}-${n}`;
    names.set(text, name);
    const step = kept[origin.step];
    if (!step) return text;
    step[name] = origin.path;
    if (name.startsWith('targetSha256')) step['targetCount'] = 'count';
    return `$${name}`;
  };
  for (const [
    index,
    { path, isMutation, input, answer, atMs, request, caseId },
  ] of calls.entries()) {
    const placeholderOf = (text: string, key: string): string => {
      const device = deviceFact(text, key, devices);
      if (device) return `$device${numberOf(device.of)}.${device.fact}`;
      const origin = origins.get(text);
      if (origin) return keep(text, origin, nounOf(key, path));
      if (UUID.test(text)) return '$new';
      if (MOMENT.test(text)) return `$now${signed((Date.parse(text) - atMs) / 1_000)}`;
      return text;
    };
    const placed = withCount(replaceStrings(shortLists(input, devices, numberOf), placeholderOf));
    const before = calls[index - 1];
    steps.push({
      after: Math.round((atMs - (before?.atMs ?? atMs)) / 100) / 10,
      ...(request !== undefined && request === before?.request ? { together: true as const } : {}),
      ...(isMutation ? { mutation: path } : { query: path }),
      ...(caseId === undefined ? {} : { case: String(placeholderOf(caseId, 'caseId')) }),
      ...(placed === undefined || placed === null ? {} : { input: placed }),
    });
    noteOrigins(answer, { step: index, isMutation }, origins);
  }
  return steps.map((step, index) =>
    Object.keys(kept[index] ?? {}).length === 0 ? step : { ...step, keep: kept[index] ?? {} },
  );
}

const signed = (seconds: number): string =>
  `${seconds < 0 ? '-' : '+'}${Math.abs(Math.round(seconds))}`;

/** `runId` and the `id` of `commands.getRun` are both a run. */
function nounOf(key: string, path: string): string {
  if (key !== 'id' && key !== 'ids') return key.replace(/Ids?$/, '');
  const [router = '', ...rest] = path.split('.');
  const noun =
    rest
      .at(-1)
      ?.replace(/^[a-z]+/, '')
      .toLowerCase() ?? '';
  return noun === '' ? (rest.at(-2) ?? router).replace(/s$/, '') : noun;
}

/** Which fact of which device a text is. What is typed into a search is the beginning of one. */
function deviceFact(text: string, key: string, devices: readonly DeskDevice[]) {
  for (const of of devices) {
    const facts = Object.entries(of).filter(([name]) => name !== 'model' || key === 'values');
    for (const [fact, value] of facts as [string, string][]) {
      if (value === '') continue;
      if (value === text) return { of, fact };
      if (key === 'text' && text !== '' && value.startsWith(text))
        return { of, fact: `${fact}/${text.length}` };
    }
  }
  return undefined;
}

/** Lists of devices, also of their serial numbers as text, become one placeholder. */
function shortLists(
  value: unknown,
  devices: readonly DeskDevice[],
  numberOf: (device: DeskDevice) => number,
): unknown {
  if (Array.isArray(value)) {
    const listed = devices.filter(({ id }) => value.includes(id));
    if (value.length < LIST || listed.length !== value.length)
      return value.map((each) => shortLists(each, devices, numberOf));
    for (const device of listed) numberOf(device);
    return `$devices.${value.length}`;
  }
  if (typeof value === 'string') {
    const lines = value.split('\n');
    const listed = devices.filter(({ serialNumber }) => lines.includes(serialNumber));
    return lines.length < LIST || listed.length !== lines.length
      ? value
      : `$serialNumbers.${lines.length}`;
  }
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, shortLists(each, devices, numberOf)]),
  );
}

/** The number of devices of a run was reviewed together with their digest. */
const withCount = (input: unknown): unknown =>
  typeof input === 'object' &&
  input !== null &&
  'targetCount' in input &&
  input.targetCount !== null
    ? { ...input, targetCount: '$targetCount' }
    : input;

/** Answers of mutations take precedence over queries, and later ones over earlier ones. */
function noteOrigins(
  answer: unknown,
  { step, isMutation }: Omit<Origin, 'path'>,
  origins: Map<string, Origin>,
  path = '',
): void {
  if (typeof answer === 'string') {
    if (answer.length < SHORTEST_KEPT || /\s/.test(answer) || WORDS.test(answer)) return;
    if (MOMENT.test(answer)) return;
    if (isMutation || origins.get(answer)?.isMutation !== true)
      origins.set(answer, { step, path, isMutation });
    return;
  }
  if (answer === null || typeof answer !== 'object') return;
  for (const [key, value] of Object.entries(answer))
    noteOrigins(value, { step, isMutation }, origins, path === '' ? key : `${path}.${key}`);
}
