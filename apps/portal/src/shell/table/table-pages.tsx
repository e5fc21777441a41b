import Pagination from '@cloudscape-design/components/pagination';
import type { ReactNode } from 'react';
import { useT } from '../../i18n/use-t.ts';
import type { KeysetPages } from './use-keyset-pages.ts';

export interface TablePaging {
  readonly pages: KeysetPages;
  /** From the answer: where the next page begins, null on the last one. */
  readonly nextCursor: string | null | undefined;
  readonly disabled?: boolean;
}

/** Previous and next over keyset pages, whose number nobody has to count. */
export function TablePages({ paging }: { readonly paging: TablePaging }): ReactNode {
  const t = useT();
  const { pages, nextCursor, disabled = false } = paging;
  const more = typeof nextCursor === 'string';
  return (
    <Pagination
      pagesVariant="compact"
      currentPageIndex={pages.pageNumber}
      pagesCount={more ? pages.pageNumber + 1 : pages.pageNumber}
      openEnd={more}
      disabled={disabled}
      ariaLabels={{
        nextPageLabel: t('shell.table.nextPage'),
        previousPageLabel: t('shell.table.previousPage'),
        pageLabel: (pageNumber) => t('shell.table.page', { pageNumber }),
      }}
      onChange={({ detail }) => {
        if (detail.currentPageIndex < pages.pageNumber) pages.goPrevious();
        else if (more) pages.goNext(nextCursor);
      }}
    />
  );
}
