import { checkParameters, PARAMETERS_LIMIT_BYTES } from '@deviceportal/contract/command-parameters';
import { PortalError } from '@deviceportal/contract/errors';
import type { DocumentParameter, ParameterValue } from '@deviceportal/contract/ssm-document';
import {
  storeReferencesIn,
  withStoreValues,
  type StoreReference,
  type StoreValues,
} from '@deviceportal/contract/store-references';
import { refuse } from '@deviceportal/contract/refuse';
import type { NamedParameter, ParameterPort } from '../../platform/parameters/parameter-port.ts';
import { isWanted, ParameterStoreError } from '../../platform/parameters/parameter-port.ts';
import { createPatternMatcher } from '../../platform/text/match-pattern.ts';
import type { ParameterValues } from './parameter-vault.ts';

type Declared = Readonly<Record<string, DocumentParameter>>;

/** Parameter store values of a run. */
export type GivenByStore = Readonly<Record<string, NamedParameter>>;

/**
 * Resolves all parameter store references of a run: in its steps, and in the defaults in use. User input is never a
 * reference, even if it looks like one.
 *
 * @param texts reviewed texts: steps and sub-documents
 * @throws PortalError 2004 with the parameter that does not exist, is not secret, or is not valid; 4000 if the
 * parameter store cannot be read
 */
export async function resolveStoreValues(
  port: ParameterPort,
  texts: unknown,
  parameters: { readonly declared: Declared; readonly values: ParameterValues },
): Promise<GivenByStore> {
  const used = Object.entries(parameters.values).filter(([name, value]) =>
    isReviewedDefault(parameters.declared[name], value),
  );
  const references = storeReferencesIn([texts, used.map(([, value]) => value)]);
  if (references.length === 0) return {};
  const found = await read(port, references);
  const given = references.map((reference) => [reference.key, pick(found, reference)] as const);
  const store = Object.fromEntries(given);
  requireFit(parameters, valuesOf(store));
  return store;
}

export const valuesOf = (
  given: Readonly<Record<string, { readonly value: string }>>,
): StoreValues => Object.fromEntries(Object.entries(given).map(([key, { value }]) => [key, value]));

/** Whether a value equals the document's default, which was reviewed with it. */
function isReviewedDefault(
  parameter: DocumentParameter | undefined,
  value: ParameterValue,
): boolean {
  if (parameter?.default === undefined) return false;
  return JSON.stringify(parameter.default) === JSON.stringify(value);
}

/** Parameters to send: defaults with resolved references, other values unchanged. */
export function withStoreDefaults(
  { declared, values }: { readonly declared: Declared; readonly values: ParameterValues },
  store: StoreValues,
): ParameterValues {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      isReviewedDefault(declared[name], value)
        ? (withStoreValues(value, store) as ParameterValue)
        : value,
    ]),
  );
}

async function read(
  port: ParameterPort,
  wanted: readonly StoreReference[],
): Promise<readonly NamedParameter[]> {
  try {
    return await port.read(wanted);
  } catch (error) {
    if (!(error instanceof ParameterStoreError)) throw error;
    throw new PortalError('commandFailed', {
      message: `The parameter store cannot be read: ${error.message}`,
      facts: { parameters: wanted.map(({ name }) => name).join(', ') },
    });
  }
}

function pick(found: readonly NamedParameter[], reference: StoreReference): NamedParameter {
  const parameter = found.find((one) => isWanted(one, reference));
  if (parameter === undefined) throw refused('store-parameter-missing', reference);
  if (reference.mustBeSecret && parameter.type !== 'SecureString') {
    throw refused('store-parameter-not-secret', reference);
  }
  return parameter;
}

function refused(
  reason: 'store-parameter-missing' | 'store-parameter-not-secret',
  { name, version }: StoreReference,
): PortalError {
  const parameter = version === null ? name : `${name}:${version}`;
  return refuse(reason, { field: 'document', facts: { parameter } });
}

/** Checks the rules that were skipped for references, now with their values. Messages contain no values. */
function requireFit(
  { declared, values }: { readonly declared: Declared; readonly values: ParameterValues },
  store: StoreValues,
): void {
  const full = withStoreDefaults({ declared, values }, store);
  const { issues } = checkParameters(declared, full, createPatternMatcher());
  if (issues.length > 0) throw refuse('input-invalid', { issues });
  // All values must fit into one message to a device.
  const bytes = Buffer.byteLength(JSON.stringify([full, store]));
  if (bytes <= PARAMETERS_LIMIT_BYTES) return;
  throw refuse('parameters-too-large', { field: 'parameters' });
}
