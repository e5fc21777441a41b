import Button from '@cloudscape-design/components/button';
import Checkbox from '@cloudscape-design/components/checkbox';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Textarea from '@cloudscape-design/components/textarea';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef, useState, type ReactNode } from 'react';
import type { DocumentDetail, DocumentVersionDetail } from '@deviceportal/contract/documents';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { ExtraChanges } from '../editor/extra-changes.tsx';
import { VersionDiff } from './version-diff.tsx';
import type { ReviewedVersion } from './reviewed-version.ts';
import { SourceEditor } from '../editor/source-editor.tsx';
import { useDocumentChanged, useDocumentRefused } from '../use-document-changes.tsx';

/**
 * What the reviewer reads and decides: changes compared with the current version, and approve or
 * reject.
 */
export function ReviewDecision(props: ReviewedVersion): ReactNode {
  const t = useT();
  return (
    <SpaceBetween size="m">
      <WhatChanges {...props} />
      <Container header={<Header variant="h2">{t('documents.review.decide')}</Header>}>
        <Answer {...props} />
      </Container>
    </SpaceBetween>
  );
}

/**
 * Compares with the default version, which the approval may replace. A first version is shown in
 * full.
 */
function WhatChanges({ document, shown }: ReviewedVersion): ReactNode {
  const t = useT();
  const api = useApi();
  const { defaultVersion } = document;
  const before = useQuery(
    api.documents.getVersion.queryOptions(
      { name: document.name, version: defaultVersion ?? shown.version },
      { enabled: defaultVersion !== null },
    ),
  );
  if (defaultVersion === null) {
    return (
      <Container header={<Header variant="h2">{t('documents.review.wholeText')}</Header>}>
        <SourceEditor
          value={shown.content.replace(/\n$/, '')}
          label={t('documents.review.wholeText')}
          problems={[]}
        />
        {shown.phasesText === '' ? null : (
          <SourceEditor
            value={shown.phasesText.replace(/\n$/, '')}
            label={t('documents.phases.label')}
            problems={[]}
          />
        )}
      </Container>
    );
  }
  if (before.isError) {
    return <ErrorView error={before.error} place="alert" onRetry={() => void before.refetch()} />;
  }
  if (before.data === undefined) return null;
  return (
    <SpaceBetween size="s">
      <ExtraChanges before={before.data} after={shown} />
      <VersionDiff before={before.data} after={shown} />
    </SpaceBetween>
  );
}

function Answer({ document, shown }: ReviewedVersion): ReactNode {
  const t = useT();
  const answer = useAnswer(document, shown);
  const comment = useRef<HTMLDivElement>(null);
  const first = document.defaultVersion === null;
  const reject = (): void => {
    if (!answer.reject()) comment.current?.querySelector('textarea')?.focus();
  };
  return (
    <SpaceBetween size="m">
      <div ref={comment}>
        <FormField
          label={t('documents.review.comment')}
          description={t('documents.review.commentHint')}
          errorText={answer.lacksReason ? t('documents.review.commentNeeded') : undefined}
          stretch
        >
          <Textarea
            value={answer.comment}
            rows={3}
            onChange={({ detail }) => answer.setComment(detail.value.slice(0, 500))}
          />
        </FormField>
      </div>
      <Checkbox
        checked={first || answer.makeDefault}
        disabled={first}
        description={first ? t('documents.review.firstIsDefault') : undefined}
        onChange={({ detail }) => answer.setMakeDefault(detail.checked)}
      >
        {t('documents.edit.makeDefault')}
      </Checkbox>
      <SpaceBetween direction="horizontal" size="xs">
        <Button variant="primary" loading={answer.busy} onClick={answer.approve}>
          {t('documents.review.approve')}
        </Button>
        <Button disabled={answer.busy} onClick={reject}>
          {t('documents.review.reject')}
        </Button>
      </SpaceBetween>
    </SpaceBetween>
  );
}

function useAnswer({ name }: DocumentDetail, { version }: DocumentVersionDetail) {
  const t = useT();
  const api = useApi();
  const changed = useDocumentChanged();
  const refused = useDocumentRefused();
  const [comment, setComment] = useState('');
  const [makeDefault, setMakeDefault] = useState(true);
  const [lacksReason, setLacksReason] = useState(false);
  const approve = useMutation(
    api.documents.approve.mutationOptions({
      onError: refused,
      onSuccess: () => changed(t('documents.review.approved', { name, version })),
    }),
  );
  const reject = useMutation(
    api.documents.reject.mutationOptions({
      onError: refused,
      onSuccess: () => changed(t('documents.review.rejected', { name, version })),
    }),
  );
  return {
    comment,
    setComment: (text: string) => {
      setComment(text);
      setLacksReason(false);
    },
    makeDefault,
    setMakeDefault,
    lacksReason,
    busy: approve.isPending || reject.isPending,
    approve: () => approve.mutate({ name, version, makeDefault, comment }),
    /** Returns false if the reason is missing. */
    reject: (): boolean => {
      if (comment.trim() === '') {
        setLacksReason(true);
        return false;
      }
      reject.mutate({ name, version, comment });
      return true;
    },
  };
}
