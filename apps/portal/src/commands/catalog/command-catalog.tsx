import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Spinner from '@cloudscape-design/components/spinner';
import TextFilter from '@cloudscape-design/components/text-filter';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { CommandDefinition } from '@deviceportal/contract/commands';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { PortalLink } from '../../ui/portal-link.tsx';
import { TableEmpty } from '../../ui/table/table-empty.tsx';
import { groupCommands, type GroupedCommands } from './command-groups.ts';
import { commandHref } from '../command-href.ts';
import { ConsequenceBadge } from '../consequence-badge.tsx';
import { FavoriteButton } from './favorite-button.tsx';
import { useCommandWords } from '../use-command-words.ts';

/**
 * All commands by purpose. Favorites come first, and commands without permission show the reason.
 */
export function CommandCatalog(): ReactNode {
  const t = useT();
  const api = useApi();
  const words = useCommandWords();
  const [text, setText] = useState('');
  const query = useQuery(api.commands.list.queryOptions(undefined, { staleTime: 60_000 }));
  // Stated once above the list instead of for every command.
  const noneAllowed = query.data?.every((command) => !command.allowed) ?? false;
  const wanted = text.trim().toLowerCase();
  const shown = (query.data ?? []).filter((command) =>
    `${command.command} ${words.description(command)}`.toLowerCase().includes(wanted),
  );
  return (
    <Container header={<Header variant="h2">{t('commands.catalog.title')}</Header>}>
      <SpaceBetween size="m">
        <TextFilter
          filteringText={text}
          filteringPlaceholder={t('commands.catalog.find')}
          filteringAriaLabel={t('commands.catalog.find')}
          countText={wanted === '' ? '' : t('commands.catalog.count', { count: shown.length })}
          onChange={({ detail }) => setText(detail.filteringText)}
        />
        {noneAllowed ? <Box>{t('commands.catalog.noneAllowed')}</Box> : null}
        {query.isError ? (
          <ErrorView error={query.error} place="alert" onRetry={() => void query.refetch()} />
        ) : query.data === undefined ? (
          <Spinner />
        ) : shown.length === 0 ? (
          <TableEmpty
            words={{ title: t('commands.catalog.none') }}
            onClearFilter={wanted === '' ? undefined : () => setText('')}
          />
        ) : (
          <div className="dp-command-catalog">
            {groupCommands(shown).map((group) => (
              <Group key={group.group} group={group} withReasons={!noneAllowed} />
            ))}
          </div>
        )}
      </SpaceBetween>
    </Container>
  );
}

interface GroupProps {
  readonly group: GroupedCommands;
  readonly withReasons: boolean;
}

function Group({ group, withReasons }: GroupProps): ReactNode {
  const words = useCommandWords();
  return (
    <section className="dp-command-group" aria-label={words.group(group.group)}>
      <Box variant="h3">{words.group(group.group)}</Box>
      <ul className="dp-command-entries">
        {group.commands.map((command) => (
          <Entry key={command.command} command={command} withReason={withReasons} />
        ))}
      </ul>
    </section>
  );
}

interface EntryProps {
  readonly command: CommandDefinition;
  readonly withReason: boolean;
}

function Entry({ command, withReason }: EntryProps): ReactNode {
  const t = useT();
  const words = useCommandWords();
  return (
    <li className="dp-command-entry">
      <FavoriteButton form={command} compact />
      <span className="dp-command-name">
        {command.allowed ? (
          <PortalLink href={commandHref(command.command)}>{command.command}</PortalLink>
        ) : (
          <Box variant="span" color="text-status-inactive">
            {command.command}
          </Box>
        )}
        {/* The consequence of a command that runs any document depends on the document. */}
        {command.documentName === null ? null : (
          <ConsequenceBadge consequence={command.consequence} />
        )}
      </span>
      <Box color="text-body-secondary" fontSize="body-s">
        {words.description(command)}
        {command.allowed || !withReason
          ? null
          : ` ${t('app.needsPermission', {
              permission: command.missingPermission ?? `commands:run:${command.command}`,
            })}`}
      </Box>
    </li>
  );
}
