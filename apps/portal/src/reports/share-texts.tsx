import Box from '@cloudscape-design/components/box';
import Checkbox from '@cloudscape-design/components/checkbox';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import type { ReactNode } from 'react';
import type { SharePreview } from '@deviceportal/contract/reports';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';

export interface ShareTextsProps {
  readonly preview: SharePreview;
  readonly allowed: readonly string[];
  readonly onAllowed: (ids: string[]) => void;
}

/** The free texts of a report, each of which the sender allows or leaves out. */
export function ShareTexts({ preview, allowed, onAllowed }: ShareTextsProps): ReactNode {
  const t = useT();
  const format = useFormat();
  const { texts, textsTotal } = preview;
  if (texts.length === 0) return null;
  return (
    <ExpandableSection
      headerText={t('reports.share.texts')}
      headerCounter={`(${textsTotal})`}
      headerDescription={t('reports.share.texts.about')}
    >
      <ul className="dp-share-texts">
        {texts.map(({ id, kind, title, at, text }) => (
          <li key={id}>
            <Box color="text-body-secondary" fontSize="body-s">
              {[
                t(`reports.share.texts.${kind}`),
                title,
                at === null ? '' : format.absolute(Date.parse(at)),
              ]
                .filter(Boolean)
                .join(' · ')}
            </Box>
            <pre>{text}</pre>
            <Checkbox
              checked={allowed.includes(id)}
              ariaLabel={`${t('reports.share.texts.show')}: ${text.slice(0, 80)}`}
              onChange={({ detail }) =>
                onAllowed(detail.checked ? [...allowed, id] : allowed.filter((one) => one !== id))
              }
            >
              {t('reports.share.texts.show')}
            </Checkbox>
          </li>
        ))}
      </ul>
      {textsTotal > texts.length
        ? t('reports.share.texts.more', { count: textsTotal - texts.length })
        : null}
    </ExpandableSection>
  );
}
