import Container from '@cloudscape-design/components/container';
import type { ReactNode } from 'react';
import type { Person } from '@deviceportal/contract/people';
import { useFormat } from '../i18n/format-values.ts';
import { languageNames, type Language } from '../i18n/languages.ts';
import { useT } from '../i18n/use-t.ts';
import { CopyableId } from '../ui/copyable-id.tsx';
import { KeyValue } from '../ui/key-value.tsx';
import { Time } from '../ui/time/time.tsx';

/** Contact details and language of the person. */
export function PersonFacts({ person }: { readonly person: Person }): ReactNode {
  const t = useT();
  const format = useFormat();
  const { country, language } = person;
  return (
    <Container>
      <KeyValue
        columns={4}
        items={[
          { label: t('people.email'), value: person.email },
          { label: t('people.phone'), value: person.phone },
          { label: t('people.username'), value: person.username },
          { label: t('people.country'), value: country === null ? null : format.country(country) },
          {
            label: t('people.language'),
            value: language === null ? null : (languageNames[language as Language] ?? language),
          },
          { label: t('people.since'), value: <Time at={person.createdAt} style="absolute" /> },
          {
            label: t('people.id'),
            value: <CopyableId value={person.id} name={t('people.id')} />,
          },
        ]}
      />
    </Container>
  );
}
