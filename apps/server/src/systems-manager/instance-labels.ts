import { labelsSchema } from '@deviceportal/contract/ids';
import { countrySchema } from '@deviceportal/contract/places';

/** The tag from which the country of a device is taken, in upper or lower case. */
const COUNTRY_TAG = 'country';

/** Tags as labels: those that cannot be labels are left out, and so are tags of AWS itself. */
export function labelsOf(tags: Readonly<Record<string, string>>): Record<string, string> {
  const labels: Record<string, string> = {};
  for (const [key, value] of Object.entries(tags)) {
    if (key.toLowerCase().startsWith('aws:')) continue;
    const more = { ...labels, [key]: value };
    if (labelsSchema.safeParse(more).success) labels[key] = value;
  }
  return labels;
}

/** Null without a tag `country` that is a code of ISO 3166-1. */
export function countryOf(tags: Readonly<Record<string, string>>): string | null {
  const [, value] = Object.entries(tags).find(([key]) => key.toLowerCase() === COUNTRY_TAG) ?? [];
  const parsed = countrySchema.safeParse(value);
  return parsed.success ? parsed.data : null;
}
