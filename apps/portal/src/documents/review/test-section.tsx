import ExpandableSection from '@cloudscape-design/components/expandable-section';
import Spinner from '@cloudscape-design/components/spinner';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useT } from '../../i18n/use-t.ts';
import type { LiveValidation } from '../editor/use-document-validation.ts';

const TestDocument = lazy(async () => ({
  default: (await import('./test-document.tsx')).TestDocument,
}));

export interface TrySectionProps {
  readonly name: string;
  readonly content: string;
  readonly phasesText: string;
  readonly validation: LiveValidation;
}

/** Tests the current text of the editor. Loaded when it is opened. */
export function TestSection({ validation, ...texts }: TrySectionProps): ReactNode {
  const t = useT();
  const [open, setOpen] = useState(false);
  const { result } = validation;
  return (
    <ExpandableSection
      headerText={t('documents.test.title')}
      expanded={open}
      onChange={({ detail }) => setOpen(detail.expanded)}
    >
      {open ? (
        <Suspense fallback={<Spinner />}>
          <TestDocument
            {...texts}
            version={null}
            parameters={result?.parameters ?? {}}
            hasUndo={result?.phases.undo !== undefined}
            disabledReason={result?.valid === true ? undefined : t('documents.test.invalid')}
          />
        </Suspense>
      ) : null}
    </ExpandableSection>
  );
}
