/** Whether a key belongs to an input, dialog, or editor instead of a shortcut. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest(
      'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], dialog, [role=dialog], .ace_editor',
    ) !== null
  );
}
