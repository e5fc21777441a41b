import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Spinner from '@cloudscape-design/components/spinner';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react';
import type { CommandForm as Form } from '@deviceportal/contract/commands';
import type { RunDetail } from '@deviceportal/contract/runs';
import { portalErrorOf } from '../../api/portal-error-of.ts';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { navigateTo } from '../../ui/navigate-to.ts';
import { NoAccess } from '../../ui/no-access.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { useBreadcrumbs } from '../../ui/page-slots.tsx';
import { useViewer } from '../../session/viewer-context.tsx';
import { commandHref, targetLink } from '../command-href.ts';
import { CommandForm } from './command-form.tsx';
import { CommandNotFound } from '../command-not-found.tsx';
import type { CommandSearch } from '../catalog/command-search.ts';
import { DocumentPicker } from './document-picker.tsx';
import { FavoriteButton } from '../catalog/favorite-button.tsx';
import { initialFields, mergeFields, type FieldValues } from './form-model.ts';
import { InvocationResult } from '../results/invocation-result.tsx';
import { initialOptions, type RunOptions } from './run-options.ts';
import { RunResult } from '../runs/run-result.tsx';
import { useCommandWords } from '../use-command-words.ts';
import { useTarget } from '../target/use-target.ts';
import '../commands.css';
import type { RunCopy } from './run-copy.ts';

const UndoForm = lazy(async () => ({ default: (await import('../runs/undo-form.tsx')).UndoForm }));

export interface CommandScreenProps {
  /** `shell`, `logs/tail`. */
  readonly command: string;
  readonly search: CommandSearch;
  readonly onSearch: (change: Partial<CommandSearch>, how?: { readonly replace: boolean }) => void;
}

/** The page of a command: its form, or the result of a run in place of the form. */
export function CommandScreen(props: CommandScreenProps): ReactNode {
  const t = useT();
  const { may } = useViewer();
  useBreadcrumbs([
    { text: t('app.nav.commands'), href: '/commands' },
    { text: props.command, href: `/commands/${props.command}` },
  ]);
  if (!may('commands:read')) {
    return <NoAccess area={t('app.nav.commands')} permission="commands:read" />;
  }
  return <KnownViewer {...props} />;
}

function KnownViewer({ command, search, onSearch }: CommandScreenProps): ReactNode {
  const t = useT();
  const api = useApi();
  // Typed values are kept when the user switches to a subcommand, another document, or a result and
  // back.
  const [draft, setDraft] = useState<Draft>(() => ({
    edited: givenFields(search.values),
    options: initialOptions,
  }));
  // The command that runs any document has no form until a document is chosen.
  const lacksDocument = command === 'document' && search.document === '';
  const query = useQuery(
    api.commands.getForm.queryOptions(
      { command, document: search.document },
      { enabled: !lacksDocument, staleTime: 60_000 },
    ),
  );
  if (query.isError && portalErrorOf(query.error).name === 'commandNotFound') {
    return <CommandNotFound command={command} search={search} error={query.error} />;
  }
  if (query.isError) {
    return (
      <ErrorView
        error={query.error}
        subject={{ kind: t('commands.document.title'), id: search.document || command }}
        onRetry={() => void query.refetch()}
      />
    );
  }
  return (
    <SpaceBetween size="l">
      <Heading command={command} form={query.data} search={search} />
      {lacksDocument ? (
        <Container>
          <DocumentPicker reference="" onPick={(document) => onSearch({ document })} />
        </Container>
      ) : query.data === undefined ? (
        <Box padding="l">
          <Spinner size="large" />
        </Box>
      ) : (
        <Body
          form={query.data}
          search={search}
          draft={draft}
          onDraft={setDraft}
          onSearch={onSearch}
        />
      )}
    </SpaceBetween>
  );
}

interface HeadingProps {
  readonly command: string;
  readonly form: Form | undefined;
  readonly search: CommandSearch;
}

function Heading({ command, form, search }: HeadingProps): ReactNode {
  const t = useT();
  const words = useCommandWords();
  const siblings = form?.siblings ?? [];
  return (
    <SpaceBetween size="s">
      <PageHeader
        title={command}
        documentTitle={`${command} · ${t('app.nav.commands')}`}
        description={form === undefined ? null : words.description(form)}
        actions={form === undefined ? null : <FavoriteButton form={form} />}
      />
      {siblings.length < 2 ? null : (
        <SegmentedControl
          label={t('commands.siblings')}
          selectedId={command}
          options={siblings.map((sibling) => ({
            id: sibling.command,
            text: sibling.sub ?? sibling.command,
          }))}
          onChange={({ detail }) => {
            // Keeps a pinned document version in the address and the form.
            const { document } = search;
            navigateTo(commandHref(detail.selectedId, { ...targetLink(search), document }));
          }}
        />
      )}
    </SpaceBetween>
  );
}

interface Draft {
  readonly edited: FieldValues;
  readonly options: RunOptions;
}

interface BodyProps {
  readonly form: Form;
  readonly search: CommandSearch;
  readonly draft: Draft;
  readonly onDraft: (change: (old: Draft) => Draft) => void;
  readonly onSearch: CommandScreenProps['onSearch'];
}

function Body({ form, search, draft, onDraft, onSearch }: BodyProps): ReactNode {
  const target = useTarget(search, {
    command: form.command,
    document: search.document,
    ready: true,
  });
  const deviceId = target.kind === 'one' ? target.device.data?.id : undefined;
  useEffect(() => {
    // Replaces a serial number in the address with the device ID.
    if (deviceId !== undefined && search.device !== '' && search.device !== deviceId) {
      onSearch({ device: deviceId }, { replace: true });
    }
  }, [deviceId, search.device, onSearch]);
  const showRun = (run: RunDetail): void =>
    onSearch(
      run.invocationId === null
        ? { run: run.id, invocation: '', undo: '' }
        : { invocation: run.invocationId, run: '', undo: '' },
    );
  const edit = (copy: RunCopy): void => {
    onDraft(({ options }) => ({
      edited: copiedFields(form, copy.parameters),
      options: { ...options, comment: copy.comment },
    }));
    const { document, deviceId: device } = copy;
    // A run on many devices keeps its target in the address.
    onSearch({ invocation: '', run: '', document, ...(device === undefined ? {} : { device }) });
  };
  if (search.invocation !== '') {
    return (
      <InvocationResult
        key={search.invocation}
        id={search.invocation}
        runId={search.run}
        onRun={showRun}
        onEdit={edit}
        onBack={() => onSearch({ invocation: '' })}
      />
    );
  }
  if (search.undo !== '' && search.run === '') {
    return (
      <Suspense fallback={<Spinner size="large" />}>
        <UndoForm key={search.undo} runId={search.undo} deviceId={search.device} onRun={showRun} />
      </Suspense>
    );
  }
  if (search.run !== '') {
    return (
      <RunResult
        key={search.run}
        id={search.run}
        onRun={showRun}
        onEdit={edit}
        onInvocation={(invocation) => onSearch({ invocation })}
      />
    );
  }
  return (
    <CommandForm
      form={form}
      search={search}
      target={target}
      fields={mergeFields(form.parameters, draft.edited)}
      options={draft.options}
      onField={(name, value) =>
        onDraft((old) => ({ ...old, edited: { ...old.edited, [name]: value } }))
      }
      onOptions={(options) => onDraft((old) => ({ ...old, options }))}
      onSearch={onSearch}
      onRun={showRun}
    />
  );
}

/** The field values of a link. Empty if they are not a JSON object. */
function givenFields(values: string): FieldValues {
  if (values === '') return {};
  try {
    const given: unknown = JSON.parse(values);
    if (typeof given !== 'object' || given === null) return {};
    return Object.fromEntries(
      Object.entries(given).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string',
      ),
    );
  } catch {
    return {};
  }
}

/** The server never returns secret values, so their fields start empty. */
function copiedFields(form: Form, parameters: RunCopy['parameters']): FieldValues {
  const open = Object.fromEntries(
    Object.entries(parameters).filter(([name]) => !form.secretParameters.includes(name)),
  );
  return initialFields(form.parameters, open);
}
