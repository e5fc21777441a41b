import Checkbox from '@cloudscape-design/components/checkbox';
import FormField from '@cloudscape-design/components/form-field';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import type { Redaction } from '@deviceportal/contract/reports';
import { useT } from '../i18n/use-t.ts';
import { Choice } from './report-choices.tsx';

const hidden = ['otherPeople', 'contact', 'networks'] as const;
const places = ['none', '1', '0.1', 'as-is'] as const;
const HOUR = 3_600;
const lives = { hour: HOUR, day: 24 * HOUR, week: 168 * HOUR } as const;
const lifeNames = ['hour', 'day', 'week'] as const;

export interface RedactionChoicesProps {
  readonly redaction: Redaction;
  readonly validSeconds: number;
  readonly onRedaction: (redaction: Redaction) => void;
  readonly onValidSeconds: (seconds: number) => void;
}

/** Selects what is hidden from the recipient of the link, and how long it is valid. */
export function RedactionChoices(props: RedactionChoicesProps): ReactNode {
  const { redaction, validSeconds, onRedaction, onValidSeconds } = props;
  const t = useT();
  return (
    <SpaceBetween size="m">
      <FormField label={t('reports.share.hide')} description={t('reports.share.secrets')}>
        <div className="dp-report-choice">
          {hidden.map((what) => (
            <Checkbox
              key={what}
              checked={redaction[what]}
              onChange={({ detail }) => onRedaction({ ...redaction, [what]: detail.checked })}
            >
              {t(`reports.share.hide.${what}`)}
            </Checkbox>
          ))}
        </div>
      </FormField>
      <div className="dp-report-choice">
        <Choice
          label={t('reports.share.place')}
          value={redaction.place}
          values={places}
          textOf={(value) => t(`reports.share.place.${value}`)}
          onChange={(place) => onRedaction({ ...redaction, place })}
        />
        <Choice
          label={t('reports.share.life')}
          value={lifeNames.find((name) => lives[name] === validSeconds) ?? 'hour'}
          values={lifeNames}
          textOf={(value) => t(`reports.share.life.${value}`)}
          onChange={(name) => onValidSeconds(lives[name])}
        />
      </div>
    </SpaceBetween>
  );
}
