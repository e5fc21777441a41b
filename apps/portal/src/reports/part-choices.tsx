import Checkbox from '@cloudscape-design/components/checkbox';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import type { ReactNode } from 'react';
import { reportParts } from '@deviceportal/contract/reports';
import { useT } from '../i18n/use-t.ts';
import type { ReportChoicesProps } from './report-choices.tsx';

/** Selects the sections of the report. */
export function PartChoices({ options, change }: ReportChoicesProps): ReactNode {
  const t = useT();
  return (
    <ExpandableSection headerText={t('reports.parts')}>
      <div className="dp-report-choice">
        {reportParts.map((part) => (
          <Checkbox
            key={part}
            checked={options.parts.includes(part)}
            onChange={({ detail }) =>
              change({
                parts: reportParts.filter((one) =>
                  one === part ? detail.checked : options.parts.includes(one),
                ),
              })
            }
          >
            {t(`reports.part.${part}`)}
          </Checkbox>
        ))}
      </div>
    </ExpandableSection>
  );
}

/** Selects exact coordinates, for users with the permission to read them. */
export function PreciseChoice({ options, change }: ReportChoicesProps): ReactNode {
  const t = useT();
  return (
    <Checkbox
      checked={options.includePreciseLocation}
      description={t('reports.preciseNote')}
      onChange={({ detail }) => change({ includePreciseLocation: detail.checked })}
    >
      {t('reports.precise')}
    </Checkbox>
  );
}
