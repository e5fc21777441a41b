import { labelsSchema, MOST_LABELS, serialNumberSchema } from '@deviceportal/contract/ids';
import type { PortalError } from '@deviceportal/contract/errors';
import { importColumnsOf } from '@deviceportal/contract/imports';
import { nameSchema } from '@deviceportal/contract/name-schema';
import { countrySchema } from '@deviceportal/contract/places';
import { refuse } from '@deviceportal/contract/refuse';
import { z } from 'zod';
import { cellText, formulaProblem } from '../../imports/reading/cell-text.ts';
import type { ParsedRow, RowProblem } from '../../imports/row-kind.ts';

/** A row of a file of devices. */
export interface GivenDevice {
  readonly serialNumber: string;
  readonly name: string | null;
  readonly model: string | null;
  readonly ownerEmail: string | null;
  readonly country: string | null;
  readonly labels: Readonly<Record<string, string>> | null;
}

type DeviceColumn = (typeof importColumnsOf.devices)[number];

const MAX_CHARACTERS = 128;
const MAX_EMAIL_CHARACTERS = 320;

const emptyIsNull = z.literal('').transform(() => null);
const text = (max: number) => z.union([emptyIsNull, nameSchema({ max })]);

const rowSchema = z.object({
  serialNumber: serialNumberSchema,
  name: text(MAX_CHARACTERS),
  model: text(MAX_CHARACTERS),
  ownerEmail: text(MAX_EMAIL_CHARACTERS),
  country: z.union([emptyIsNull, countrySchema]),
  labels: z.union([emptyIsNull, z.string().transform(readLabels).pipe(labelsSchema), labelsSchema]),
});

/** The values of a row, or its first problem. */
export function parseDeviceRow(
  cells: Readonly<Record<string, unknown>>,
): ParsedRow<GivenDevice> | RowProblem {
  const texts: Partial<Record<DeviceColumn, string>> = {};
  for (const column of importColumnsOf.devices) {
    const value = cellText(cells[column]);
    if (value !== undefined) texts[column] = value;
  }
  const wrong = formulaProblem(texts);
  if (wrong !== undefined) return wrong;
  // In JSON, labels can be an object.
  const parsed = rowSchema.safeParse({ ...cells, ...texts });
  if (!parsed.success) {
    const [first] = parsed.error.issues;
    const column =
      importColumnsOf.devices.find((name) => name === first?.path[0]) ?? 'serialNumber';
    return { column, refusal: whyWrong(column) };
  }
  return { given: parsed.data, uniques: { serialNumber: parsed.data.serialNumber } };
}

/** Labels as `site=berlin;floor=2`. */
function readLabels(given: string): Record<string, string> {
  return Object.fromEntries(
    given
      .split(';')
      .filter((pair) => pair.trim() !== '')
      .map((pair) => {
        const [key = '', ...value] = pair.split('=');
        return [key.trim(), value.join('=').trim()];
      }),
  );
}

function whyWrong(column: DeviceColumn): PortalError {
  switch (column) {
    case 'serialNumber':
      return refuse('serial-number-invalid');
    case 'country':
      return refuse('country-invalid');
    case 'labels':
      return refuse('labels-invalid', { facts: { most: MOST_LABELS } });
    case 'ownerEmail':
      return refuse('text-invalid', { facts: { most: MAX_EMAIL_CHARACTERS } });
    case 'name':
    case 'model':
      return refuse('text-invalid', { facts: { most: MAX_CHARACTERS } });
  }
}
