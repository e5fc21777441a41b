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
import { GuidePicture } from './guide-picture.tsx';
import { GuideText } from './guide-text.tsx';
import { guideTitle } from './guide-titles.ts';
import { loadGuide } from './load-guide.ts';
import { anchorOf, type GuideBlock } from './read-guide.ts';
import '../help.css';

export const Route = createLazyRoute('/guides/$name')({ component: GuidePage });

const route = getRouteApi('/guides/$name');

/** A guide of docs/guides. */
function GuidePage(): ReactNode {
  const t = useT();
  const language = useLanguage();
  const { name } = route.useParams();
  const { data: guide } = useQuery({
    queryKey: ['guide', name, language],
    // Null for an unknown guide, because a query must have a result.
    queryFn: async () => (await loadGuide(name, language)) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  useBreadcrumbs([{ text: guideTitle(name, language), href: `/guides/${name}` }]);
  useEffect(() => {
    // The heading exists only now.
    if (guide && location.hash !== '')
      document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
  }, [guide]);
  if (guide === undefined) return <PendingPage />;
  if (guide === null) return <PageHeader title={t('help.unknown')} />;
  const [title, ...blocks] = guide.blocks;
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={
          title?.kind === 'heading' ? title.text.replaceAll('`', '') : guideTitle(name, language)
        }
        description={guide.language === language ? undefined : t('help.guide.language')}
      />
      <Container>
        <div className="dp-guide" lang={guide.language}>
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
      return <Heading {...block} />;
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
    case 'picture':
      return <GuidePicture {...block} />;
    default:
      return (
        <p>
          <GuideText text={block.text} />
        </p>
      );
  }
}

function Heading(heading: Extract<GuideBlock, { kind: 'heading' }>): ReactNode {
  const { level, text, englishAnchor } = heading;
  const anchor = anchorOf(text);
  return (
    <div id={anchor}>
      {englishAnchor === undefined || englishAnchor === anchor ? null : <span id={englishAnchor} />}
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
