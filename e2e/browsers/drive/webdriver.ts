/**
 * Sends a command of WebDriver (https://www.w3.org/TR/webdriver2/) and returns its value. Throws the
 * error that the driver answers.
 */
export type WebDriver = <Value = unknown>(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: object,
) => Promise<Value>;

/** A session of a driver, with its own browser and data. */
export type WebDriverSession = { send: WebDriver; end: () => Promise<void> };

const commandTimeoutMs = 30_000;

/** Begins a session at a driver that listens at `url`. */
export async function beginSession(url: string, capabilities: object): Promise<WebDriverSession> {
  const call: WebDriver = async <Value>(method: string, path: string, body?: object) => {
    const response = await fetch(`${url}${path}`, {
      method,
      signal: AbortSignal.timeout(commandTimeoutMs),
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const { value } = (await response.json()) as { value: unknown };
    if (response.ok) return value as Value;
    const { error, message } = value as { error: string; message: string };
    throw new Error(`${method} ${path}: ${error}: ${message}`);
  };
  const { sessionId } = await call<{ sessionId: string }>('POST', '/session', {
    capabilities: { alwaysMatch: capabilities },
  });
  return {
    send: (method, path, body) => call(method, `/session/${sessionId}${path}`, body),
    end: async () => void (await call('DELETE', `/session/${sessionId}`)),
  };
}
