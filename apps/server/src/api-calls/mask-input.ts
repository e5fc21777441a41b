const MAX_CHARACTERS = 2_000;
const MAX_ITEMS = 20;
const MASK = '•••';

/** Input fields that show which kind of call it was, without personal data or secrets. */
const keptFields: ReadonlySet<string> = new Set([
  ...['command', 'document', 'documentName', 'verifyDocument', 'component', 'version', 'basedOn'],
  ...['model', 'models', 'country', 'countries', 'consequence', 'consequences', 'channel'],
  ...['kind', 'kinds', 'type', 'types', 'state', 'states', 'status', 'statuses', 'outcome'],
  ...['act', 'action', 'actorKind', 'permission', 'permissions', 'group', 'rule', 'place'],
  ...['format', 'parts', 'paper', 'voice', 'language', 'screen', 'step', 'theme', 'density'],
  ...['property', 'operator', 'operation', 'sort', 'descending', 'pageSize', 'limit', 'depth'],
  ...['from', 'to', 'at', 'days', 'minutes', 'lifetimeHours', 'validSeconds', 'timeoutSeconds'],
  ...[
    'timeZone',
    'missed',
    'freeze',
    'whenLocked',
    'maxConcurrency',
    'maxErrors',
    'uses',
    'dryRun',
  ],
  ...['canaryPercent', 'successPercent', 'wavePercents', 'soakSeconds', 'verifySeconds'],
  ...['waitForOffline', 'maxDiskUsedPercent', 'includePreciseLocation', 'revision', 'exact'],
  ...['onlyFailed', 'onlyErrors', 'errorCode', 'minDurationMs', 'path', 'open', 'mine'],
  ...['waiting', 'waitingForMe', 'wait', 'leaving', 'favorite', 'stopQueued', 'undo', 'fault'],
  ...['stdoutFrom', 'stderrFrom', 'sha256', 'targetSha256', 'makeDefault', 'zoom', 'bytes'],
]);
/** Fields whose objects can contain `keptFields`. */
const containers: ReadonlySet<string> = new Set([
  'filter',
  'target',
  'range',
  'tokens',
  'change',
  'options',
  'times',
  'scope',
]);
const idField = /^(id|ids|\w+Ids?|requestId|idempotencyKey)$/;
const id = /^[0-9a-f-]{16,64}$/i;
const plainText = /^[\w./:%+-]{1,128}$/;
const fieldName = /^[a-z]\w{0,39}$/i;

type Keeps = (text: string) => boolean;

/** Masks an input for the API call log: values of allow-listed fields are kept, of all others only the field name. */
export function maskInput(input: unknown): string | null {
  if (input === undefined) return null;
  const kept = JSON.stringify(maskValue(input, undefined));
  return kept.length > MAX_CHARACTERS ? `${kept.slice(0, MAX_CHARACTERS).toWellFormed()}…` : kept;
}

/** @param keeps which texts are kept here; undefined masks all texts and numbers */
function maskValue(value: unknown, keeps: Keeps | undefined): unknown {
  if (value === null || value === undefined || value === '') return value;
  if (value instanceof Date) return keeps === undefined ? MASK : value;
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_ITEMS).map((item) => maskValue(item, keeps));
    return value.length > MAX_ITEMS ? [...items, `… ${value.length}`] : items;
  }
  if (typeof value === 'object') return maskFields(value);
  if (typeof value === 'string') return keeps?.(value) === true ? value : MASK;
  return keeps === undefined ? MASK : value;
}

function maskFields(value: object): object {
  const fields = Object.entries(value).filter(([name]) => fieldName.test(name));
  return Object.fromEntries(
    fields.slice(0, MAX_ITEMS * 2).map(([name, inner]) => [name, maskField(name, inner)]),
  );
}

function maskField(name: string, value: unknown): unknown {
  if (idField.test(name)) return maskValue(value, (text) => id.test(text));
  if (keptFields.has(name)) return maskValue(value, (text) => plainText.test(text));
  if (containers.has(name)) return maskValue(value, undefined);
  return value === null || value === '' ? value : MASK;
}
