/** Waits until the condition holds; resolves with its value. */
export async function until<Value>(
  condition: () => Promise<Value> | Value,
  timeoutMs = 8_000,
): Promise<Exclude<Value, false | null | undefined>> {
  const endsAt = Date.now() + timeoutMs;
  for (;;) {
    const value = await condition();
    if (value) return value as Exclude<Value, false | null | undefined>;
    if (Date.now() > endsAt) throw new Error(`not within ${timeoutMs} ms: ${condition.toString()}`);
    await new Promise((resolve) => {
      setTimeout(resolve, 15);
    });
  }
}
