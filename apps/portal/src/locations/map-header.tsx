import Button from '@cloudscape-design/components/button';
import type { ReactNode } from 'react';
import type { LocationCells } from '@deviceportal/contract/locations';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { followWithRouter } from '../ui/follow-with-router.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { useViewer } from '../session/viewer-context.tsx';
import type { PlaceGroup } from './place-groups.ts';

/** Average length of a degree of latitude (WGS 84: 110.6 at the equator, 111.7 at the poles). */
const KILOMETERS_PER_DEGREE = 111;

/** Two significant digits, because this is an order of magnitude. */
const kilometersOf = (degrees: number): number =>
  Number((degrees * KILOMETERS_PER_DEGREE).toPrecision(2));

export interface MapHeaderProps {
  readonly answer: LocationCells | undefined;
  readonly groups: readonly PlaceGroup[];
  /** Null if a filter of the list cannot express the filter and the area. */
  readonly listHref: string | null;
}

/** The number of devices in view, its accuracy, and a link to the list. */
export function MapHeader({ answer, groups, listHref }: MapHeaderProps): ReactNode {
  const t = useT();
  const format = useFormat();
  const { may } = useViewer();
  const total = answer?.total ?? 0;
  const outside = groups.reduce((sum, group) => sum + group.outside, 0);
  const words =
    answer === undefined
      ? []
      : [
          t('locations.page.description', { total, shown: format.number(total) }),
          ...(answer.approximate ? [t('locations.page.estimated')] : []),
          ...(outside > 0
            ? [t('locations.page.outside', { count: outside, shown: format.number(outside) })]
            : []),
          ...(answer.cells.length > 0
            ? [
                t('locations.page.cells', {
                  kilometers: format.number(kilometersOf(answer.cellDegrees)),
                }),
              ]
            : []),
          ...(may('locations:read-precise') ? [] : [t('locations.page.roundedHere')]),
        ];
  return (
    <PageHeader
      title={t('locations.page.title')}
      description={words.join(' · ')}
      actions={
        listHref === null ? undefined : (
          <Button href={listHref} onFollow={(event) => followWithRouter(event)}>
            {t('locations.page.asList')}
          </Button>
        )
      }
    />
  );
}
