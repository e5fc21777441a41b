import { z } from 'zod';
import type { CaseEntryKind } from '@deviceportal/contract/cases';

/** What a call viewed. */
export interface LookUp {
  readonly kind: CaseEntryKind;
  /** The ID of a device, or its serial number. */
  readonly device?: string;
  readonly reference?: string;
}

const deviceInput = z.object({ device: z.string() }).transform(({ device }) => device);
const deviceIdInput = z.object({ deviceId: z.string() }).transform(({ deviceId }) => deviceId);
const idInput = z.object({ id: z.string() }).transform(({ id }) => id);
const nameInput = z.object({ name: z.string() }).transform(({ name }) => name);

/** Procedures that show one thing, with its kind. Lists and counts are not look-ups. */
const lookUps: Readonly<Record<string, (input: unknown) => LookUp>> = {
  'devices.get': (input) => ({ kind: 'device-viewed', device: deviceInput.parse(input) }),
  'people.get': (input) => ({ kind: 'person-viewed', reference: idInput.parse(input) }),
  'locations.deviceTrack': (input) => ({
    kind: 'location-viewed',
    device: deviceIdInput.parse(input),
  }),
  'commands.getInvocation': (input) => ({ kind: 'result-viewed', reference: idInput.parse(input) }),
  'documents.get': (input) => ({ kind: 'document-viewed', reference: nameInput.parse(input) }),
};

/** What a finished call showed; undefined if it is not a look-up. */
export function lookUpOf(call: {
  readonly path: string;
  readonly input: unknown;
}): LookUp | undefined {
  return lookUps[call.path]?.(call.input);
}
