import { readArtifactAddress } from '@deviceportal/contract/ssm-document';

export interface NeededSoftware {
  readonly component: string;
  readonly version: string;
}

type Values = Readonly<Record<string, unknown>>;

const REFERENCE = /\{\{\s*([a-zA-Z][a-zA-Z0-9_]{0,63})\s*\}\}/g;

/**
 * Software versions whose files a document requests from the portal with these parameters: `aws:configurePackage` and
 * `aws:updateAgent` without a source, and `aws:downloadContent` from `deviceportal:software/{component}/{version}`.
 */
export function neededSoftware(content: Values, parameters: Values): NeededSoftware[] {
  const values = { ...defaultsOf(content['parameters']), ...parameters };
  const steps = Array.isArray(content['mainSteps']) ? content['mainSteps'] : [];
  const found = steps.flatMap((step: unknown) => {
    const { action, inputs } = recordOf(step);
    const text = (name: string): string => substitute(recordOf(inputs)[name], values);
    return neededByStep(action, text) ?? [];
  });
  const byName = new Map(found.map((each) => [`${each.component}\n${each.version}`, each]));
  return [...byName.values()];
}

function neededByStep(action: unknown, text: (name: string) => string): NeededSoftware | null {
  switch (action) {
    case 'aws:configurePackage': {
      const wants = text('action') === 'Install' && text('source') === '';
      return wants ? named(text('name'), text('version')) : null;
    }
    case 'aws:updateAgent':
      return text('source') === '' ? named('agent', text('targetVersion')) : null;
    case 'aws:downloadContent':
      // As an object or as JSON text; both contain the address.
      return readArtifactAddress(text('sourceInfo'));
    default:
      return null;
  }
}

const named = (component: string, version: string): NeededSoftware | null =>
  component === '' || version === '' ? null : { component, version };

function substitute(input: unknown, values: Values): string {
  if (input === undefined || input === null) return '';
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  return text.replace(REFERENCE, (reference, name: string) => {
    const value = values[name];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : reference;
  });
}

function defaultsOf(declared: unknown): Values {
  return Object.fromEntries(
    Object.entries(recordOf(declared)).map(([name, parameter]) => [
      name,
      recordOf(parameter)['default'],
    ]),
  );
}

function recordOf(value: unknown): Values {
  return typeof value === 'object' && value !== null ? (value as Values) : {};
}
