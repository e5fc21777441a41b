import { useLocation } from '@tanstack/react-router';
import { useEffect, useState, type ReactNode } from 'react';
import { askAboutCase, useCaseDialog } from './case-dialog-store.ts';
import { CloseCaseDialog } from './close-case-dialog.tsx';
import { NoteDialog } from './note-dialog.tsx';
import { OpenCaseDialog } from './open-case-dialog.tsx';

const close = (): void => askAboutCase(null);

/** The open case dialog. It closes when the user leaves the page. */
export function CaseDialogs(): ReactNode {
  const asked = useCaseDialog();
  const { pathname } = useLocation();
  const [openedOn] = useState(pathname);
  useEffect(() => {
    if (pathname !== openedOn) close();
  }, [pathname, openedOn]);
  switch (asked?.kind) {
    case 'open':
      return <OpenCaseDialog person={asked.person} onClose={close} />;
    case 'note':
      return <NoteDialog id={asked.id} personName={asked.personName} onClose={close} />;
    case 'close':
      return <CloseCaseDialog id={asked.id} personName={asked.personName} onClose={close} />;
    case undefined:
      return null;
  }
}
