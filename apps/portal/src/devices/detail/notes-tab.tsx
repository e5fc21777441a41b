import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Spinner from '@cloudscape-design/components/spinner';
import Textarea from '@cloudscape-design/components/textarea';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Note } from '@deviceportal/contract/devices';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { useErrorFlash } from '../../ui/error-reaction/use-error-flash.tsx';
import { Time } from '../../ui/time/time.tsx';
import { fieldIssues } from '../../ui/field-issues.ts';
import type { DeviceTabProps } from './device-tab-props.ts';

const LIMIT = 4_000;

/** Notes of users about the device. */
export function NotesTab({ device }: DeviceTabProps): ReactNode {
  const t = useT();
  const api = useApi();
  const notes = useQuery(api.devices.listNotes.queryOptions({ deviceId: device.id }));
  return (
    <SpaceBetween size="m">
      {device.lifecycle === 'retired' ? null : <NewNote deviceId={device.id} />}
      {notes.isPending ? <Spinner /> : null}
      {notes.isError ? (
        <ErrorView error={notes.error} place="alert" onRetry={() => void notes.refetch()} />
      ) : null}
      {notes.data?.length === 0 ? (
        <Box color="text-body-secondary">{t('devices.notes.none')}</Box>
      ) : null}
      {notes.data?.map((note) => (
        <NoteCard key={note.id} note={note} />
      ))}
    </SpaceBetween>
  );
}

function NewNote({ deviceId }: { readonly deviceId: string }): ReactNode {
  const t = useT();
  const api = useApi();
  const queryClient = useQueryClient();
  const [text, setText] = useState('');
  const add = useMutation(
    api.devices.addNote.mutationOptions({
      onSuccess: () => {
        setText('');
        void queryClient.invalidateQueries(api.devices.listNotes.pathFilter());
      },
    }),
  );
  return (
    <SpaceBetween size="xs">
      <FormField
        label={t('devices.notes.new')}
        errorText={
          text.length > LIMIT ? t('devices.notes.tooLong') : fieldIssues(add.error, t).get('text')
        }
        stretch
      >
        <Textarea value={text} rows={3} onChange={({ detail }) => setText(detail.value)} />
      </FormField>
      {add.error === null || fieldIssues(add.error, t).has('text') ? null : (
        <ErrorView error={add.error} place="alert" />
      )}
      <Button
        loading={add.isPending}
        disabled={text.trim() === '' || text.length > LIMIT}
        onClick={() => add.mutate({ deviceId, text: text.trim() })}
      >
        {t('devices.notes.add')}
      </Button>
    </SpaceBetween>
  );
}

function NoteCard({ note }: { readonly note: Note }): ReactNode {
  const t = useT();
  const api = useApi();
  const queryClient = useQueryClient();
  const showError = useErrorFlash();
  const remove = useMutation(
    api.devices.removeNote.mutationOptions({
      onError: showError,
      onSuccess: () => queryClient.invalidateQueries(api.devices.listNotes.pathFilter()),
    }),
  );
  return (
    <Container>
      <SpaceBetween size="xs">
        <div className="dp-note">{note.text}</div>
        <SpaceBetween direction="horizontal" size="xs" alignItems="center">
          <Box variant="small" color="text-body-secondary">
            {note.author} · <Time at={note.createdAt} />
          </Box>
          {note.mine ? (
            <Button
              variant="inline-link"
              loading={remove.isPending}
              onClick={() => remove.mutate({ id: note.id })}
            >
              {t('devices.notes.remove')}
            </Button>
          ) : null}
        </SpaceBetween>
      </SpaceBetween>
    </Container>
  );
}
