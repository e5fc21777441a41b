import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { useEffect, type ReactNode } from 'react';
import { useLanguage } from '../../i18n/language-store.ts';
import { useT } from '../../i18n/use-t.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { useBreadcrumbs } from '../../ui/page-slots.tsx';
import { PendingPage } from '../../ui/pending-page.tsx';
import { GuideText } from './guide-text.tsx';
import { guideTitle } from './guide-titles.ts';
import { anchorOf, readGuide, type GuideBlock } from './read-guide.ts';
import '../help.css';

export const Route = createLazyRoute('/guides/$name')({ component: GuidePage });

const route = getRouteApi('/guides/$name');

const files = import.meta.glob<string>('../../../../../docs/guides/*.md', {
  query: '?raw',
  import: 'default',
});

/** A guide of docs/guides. */
function GuidePage(): ReactNode {
  const t = useT();
  const language = useLanguage();
  const { name } = route.useParams();
  const load = files[`../../../../../docs/guides/${name}.md`];
  const { data } = useQuery({
    queryKey: ['guide', name],
    queryFn: async () => readGuide((await load?.()) ?? ''),
    staleTime: Number.POSITIVE_INFINITY,
  });
  useBreadcrumbs([{ text: guideTitle(name), href: `/guides/${name}` }]);
  useEffect(() => {
    // The heading exists only now.
    if (data !== undefined && location.hash !== '')
      document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, [data]);
  if (load === undefined) return <PageHeader title={t('help.unknown')} />;
  if (data === undefined) return <PendingPage />;
  const [title, ...blocks] = data;
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={title?.kind === 'heading' ? title.text : guideTitle(name)}
        description={language === 'en' ? undefined : t('help.guide.language')}
      />
      <Container>
        <div className="dp-guide" lang="en">
          {blocks.map((block, index) => (
            // Blocks have no ID, and never change.
            <Block key={index} block={block} />
          ))}
        </div>
      </Container>
    </SpaceBetween>
  );
}

function Block({ block }: { readonly block: GuideBlock }): ReactNode {
  switch (block.kind) {
    case 'heading':
      return <Heading level={block.level} text={block.text} />;
    case 'code':
      return (
        <pre tabIndex={0}>
          <code>{block.text}</code>
        </pre>
      );
    case 'quote':
      return (
        <blockquote>
          <GuideText text={block.text} />
        </blockquote>
      );
    case 'list': {
      const items = block.items.map((item, index) => (
        <li key={index}>
          <GuideText text={item} />
        </li>
      ));
      return block.ordered ? <ol>{items}</ol> : <ul>{items}</ul>;
    }
    case 'table':
      return <GuideTable {...block} />;
    default:
      return (
        <p>
          <GuideText text={block.text} />
        </p>
      );
  }
}

function Heading({ level, text }: { readonly level: number; readonly text: string }): ReactNode {
  return (
    <div id={anchorOf(text)}>
      <Box variant={level <= 2 ? 'h2' : 'h3'}>
        <GuideText text={text} />
      </Box>
    </div>
  );
}

function GuideTable({ head, rows }: Extract<GuideBlock, { kind: 'table' }>): ReactNode {
  return (
    <div className="dp-guide-table" role="group" tabIndex={0} aria-label={head.join(', ')}>
      <table>
        <thead>
          <tr>
            {head.map((cell, index) => (
              <th key={index} scope="col">
                <GuideText text={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, place) => (
            <tr key={place}>
              {row.map((cell, index) => (
                <td key={index}>
                  <GuideText text={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
