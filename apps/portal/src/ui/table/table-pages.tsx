import Button from '@cloudscape-design/components/button';
import type { ReactNode } from 'react';
import type { CappedCount } from '@deviceportal/contract/pages';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import type { KeysetPages } from './use-keyset-pages.ts';

export interface TablePaging {
  readonly pages: KeysetPages;
  /** The cursor of the next page. Null on the last page. */
  readonly nextCursor: string | null | undefined;
  readonly disabled?: boolean;
  /** The total number of matches, once known. */
  readonly total?: CappedCount | undefined;
}

export interface TablePagesProps {
  readonly paging: TablePaging;
  /** Rows of this page. */
  readonly rowCount: number;
}

/** Buttons for the first, previous, and next page, and the range of rows: `26–50 of 201`. */
export function TablePages({ paging, rowCount }: TablePagesProps): ReactNode {
  const t = useT();
  const { pages, nextCursor, disabled = false } = paging;
  const more = typeof nextCursor === 'string';
  const isFirst = pages.pageNumber === 1;
  const range = useRangeWords({ paging, rowCount });
  // Until the first response, they are shown so that the filter keeps its width.
  if (isFirst && rowCount === 0 && nextCursor === null) return null;
  return (
    <div className="dp-pages" role="group" aria-label={t('app.table.pages')}>
      {isFirst ? null : (
        <Button
          variant="icon"
          iconName="angle-left-double"
          ariaLabel={t('app.table.firstPage')}
          disabled={disabled}
          onClick={pages.goFirst}
        />
      )}
      <Button
        variant="icon"
        iconName="angle-left"
        ariaLabel={t('app.table.previousPage')}
        disabled={disabled || isFirst}
        onClick={pages.goPrevious}
      />
      <span className="dp-number">{range}</span>
      <Button
        variant="icon"
        iconName="angle-right"
        ariaLabel={t('app.table.nextPage')}
        disabled={disabled || !more}
        onClick={() => (more ? pages.goNext(nextCursor, rowCount) : undefined)}
      />
    </div>
  );
}

function useRangeWords({ paging, rowCount }: TablePagesProps): string {
  const t = useT();
  const format = useFormat();
  const { pages, nextCursor, total } = paging;
  const { rowsBefore, pageNumber } = pages;
  if (rowCount === 0 || rowsBefore === null) return t('app.table.page', { pageNumber });
  const last = rowsBefore + rowCount;
  const more = typeof nextCursor === 'string';
  // An outdated total that contradicts the rows on screen is not shown.
  const known = more && total !== undefined && total.count > last ? total : undefined;
  const plus = known?.exact === false ? '+' : '';
  const all = known === undefined ? (more ? 'none' : format.number(last)) : '';
  return t('app.table.range', {
    first: format.number(rowsBefore + 1),
    last: format.number(last),
    all: known === undefined ? all : `${format.number(known.count)}${plus}`,
  });
}
