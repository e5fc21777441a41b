import Link from '@cloudscape-design/components/link';
import type { ReactNode } from 'react';
import { CopyButton } from '../devices/detail/copy-button.tsx';
import { useT } from '../i18n/use-t.ts';
import { shownName } from './shown-name.ts';
import './device-files.css';

interface FolderPathProps {
  readonly path: string;
  readonly onOpen: (path: string) => void;
}

/** The folders above, each of which opens, and the path to copy. Long paths wrap. */
export function FolderPath({ path, onOpen }: FolderPathProps): ReactNode {
  const t = useT();
  const parts = path.split('/').filter((part) => part !== '');
  const above = parts.map((part, index) => ({
    text: shownName(part),
    path: `/${parts.slice(0, index + 1).join('/')}`,
  }));
  return (
    <nav className="dp-folder-path" aria-label={t('deviceFiles.path')}>
      <ol>
        {[{ text: t('deviceFiles.folders'), path: '' }, ...above].map((folder) => (
          <li key={folder.path}>
            {folder.path === path ? (
              <span aria-current="page">{folder.text}</span>
            ) : (
              <Link onFollow={() => onOpen(folder.path)}>{folder.text}</Link>
            )}
          </li>
        ))}
      </ol>
      {path === '' ? null : <CopyButton value={path} name={t('deviceFiles.path')} />}
    </nav>
  );
}
