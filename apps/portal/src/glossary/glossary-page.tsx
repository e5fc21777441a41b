import Box from '@cloudscape-design/components/box';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import TextFilter from '@cloudscape-design/components/text-filter';
import { createLazyRoute } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useLanguage } from '../i18n/language-store.ts';
import type { Language } from '../i18n/languages.ts';
import { useT, type Translate } from '../i18n/use-t.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { useBreadcrumbs } from '../ui/page-slots.tsx';
import glossary from '../../../../docs/glossary.md?raw';
import { useMediaQuery } from '../ui/use-media-query.ts';
import { TablePlace } from '../ui/table/table-place.tsx';
import { readGlossary, type GlossaryTerm } from './read-glossary.ts';

export const Route = createLazyRoute('/glossary')({ component: GlossaryPage });

const PHONE = '(max-width: 688px)';

const terms = readGlossary(glossary);

/** The terms of docs/glossary.md, with their meaning in the language of the viewer. */
function GlossaryPage(): ReactNode {
  const t = useT();
  const language = useLanguage();
  const [text, setText] = useState('');
  useBreadcrumbs([{ text: t('app.help.glossary'), href: '/glossary' }]);
  const found = terms.filter((term) => matches(term, text.trim().toLowerCase(), language));
  return (
    <TablePlace>
      <Table
        variant="full-page"
        stickyHeader
        header={
          <PageHeader title={t('app.help.glossary')} description={t('glossary.description')} />
        }
        ariaLabels={{ tableLabel: t('app.help.glossary') }}
        items={found}
        trackBy="english"
        columnDefinitions={
          useMediaQuery(PHONE) ? narrowColumns(t, language) : columnsIn(t, language)
        }
        filter={
          <TextFilter
            filteringText={text}
            filteringPlaceholder={t('glossary.find')}
            filteringAriaLabel={t('glossary.find')}
            countText={t('app.palette.count', { count: found.length })}
            onChange={({ detail }) => setText(detail.filteringText)}
          />
        }
        empty={<Box textAlign="center">{t('glossary.noMatch')}</Box>}
        wrapLines
      />
    </TablePlace>
  );
}

function matches(term: GlossaryTerm, text: string, language: Language): boolean {
  return [term.english, term.chinese, term.meaning[language]].some((each) =>
    each.toLowerCase().includes(text),
  );
}

/** On a phone, a term and its translation share a column. */
function narrowColumns(
  t: Translate,
  language: Language,
): TableProps.ColumnDefinition<GlossaryTerm>[] {
  const [english, chinese, ...rest] = columnsIn(t, language);
  if (english === undefined || chinese === undefined) return rest;
  const term = {
    ...english,
    header: t('glossary.term'),
    width: 130,
    cell: (item: GlossaryTerm) => (
      <>
        <div>{english.cell(item)}</div>
        <div>{chinese.cell(item)}</div>
      </>
    ),
  };
  return [term, ...rest];
}

function columnsIn(t: Translate, language: Language): TableProps.ColumnDefinition<GlossaryTerm>[] {
  return [
    {
      id: 'english',
      header: t('glossary.english'),
      cell: ({ english }) => <span lang="en">{english}</span>,
      isRowHeader: true,
      width: 220,
    },
    {
      id: 'chinese',
      header: t('glossary.chinese'),
      cell: ({ chinese }) => <span lang="zh-CN">{chinese}</span>,
      width: 180,
    },
    { id: 'meaning', header: t('glossary.meaning'), cell: ({ meaning }) => meaning[language] },
  ];
}
