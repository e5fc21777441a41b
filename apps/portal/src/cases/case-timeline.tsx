import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Spinner from '@cloudscape-design/components/spinner';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { CaseDetail } from '@deviceportal/contract/cases';
import { isFinal } from '@deviceportal/contract/states';
import { useApi } from '../api/use-api.ts';
import { useLanguage } from '../i18n/language-store.ts';
import { useT } from '../i18n/use-t.ts';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { CaseEntryItem } from './case-entry-item.tsx';
import { entriesByDay } from './entries-by-day.ts';
import { refreshWhile } from '../live/refresh-policy.ts';

const PAGE_SIZE = 50;

/** All entries of the case, newest first, grouped by day, and updated live. */
export function CaseTimeline({ found }: { readonly found: CaseDetail }): ReactNode {
  const t = useT();
  const language = useLanguage();
  const query = useCaseEntries(found.id);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const entries = query.data?.pages.flatMap(({ rows }) => rows);
  return (
    <Container header={<Header variant="h2">{t('cases.timeline')}</Header>}>
      {query.error !== null && entries === undefined ? (
        <ErrorView error={query.error} place="inline" onRetry={() => void query.refetch()} />
      ) : entries === undefined ? (
        <Spinner />
      ) : (
        <SpaceBetween size="m">
          {entriesByDay(entries, language).map(({ day, entries: ofDay }) => (
            <section key={day}>
              <Box variant="h3" fontSize="heading-xs" color="text-body-secondary">
                {day}
              </Box>
              <ol className="dp-case-timeline">
                {ofDay.map((entry) => (
                  <CaseEntryItem key={entry.id} entry={entry} personId={found.person.id} />
                ))}
              </ol>
            </section>
          ))}
          {hasNextPage ? (
            <Button loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              {t('cases.earlier')}
            </Button>
          ) : null}
        </SpaceBetween>
      )}
    </Container>
  );
}

function useCaseEntries(caseId: string) {
  const api = useApi();
  return useInfiniteQuery(
    api.cases.listEntries.infiniteQueryOptions(
      { caseId, pageSize: PAGE_SIZE },
      {
        initialCursor: null,
        getNextPageParam: ({ nextCursor }) => nextCursor,
        refetchInterval: (asked) =>
          refreshWhile(
            asked.state.data?.pages.some(({ rows }) =>
              rows.some(({ run }) => run !== null && !isFinal(run.state)),
            ),
            asked,
          ),
      },
    ),
  );
}
