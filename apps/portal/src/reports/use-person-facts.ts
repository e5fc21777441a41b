import type { Person } from '@deviceportal/contract/people';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';

/** What is on record of a person, as labelled texts. */
export function usePersonFacts(
  person: Person,
): { readonly label: string; readonly value: string | null }[] {
  const t = useT();
  const format = useFormat();
  return [
    { label: t('reports.field.username'), value: person.username },
    { label: t('reports.field.email'), value: person.email },
    { label: t('reports.field.phone'), value: person.phone },
    {
      label: t('reports.field.country'),
      value: person.country === null ? null : format.country(person.country),
    },
    { label: t('reports.field.language'), value: person.language },
    {
      label: t('reports.field.since'),
      value: format.absolute(Date.parse(person.createdAt), 'UTC'),
    },
    { label: t('reports.field.id'), value: person.id },
  ];
}
