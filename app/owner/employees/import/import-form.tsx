'use client';

import { Alert, Button, FileButton, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { FileUp } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ClipboardEvent, type FormEvent, useDeferredValue, useMemo, useState } from 'react';
import { decodeFile, delimiters, type ParsedList, parseList } from '#app/owner/employees/import/parse-list.ts';
import type { Result } from '#app/ui/forms/fields.ts';
import { useAction } from '#app/ui/forms/use-action.ts';

// The service accepts a list of at most 1 MiB.
const maxBytes = 1_000_000;
const largePasteLength = 20_000;

type FileNote = { color: 'yellow' | 'red' | 'gray'; text: string };

/** The form for a list to import, pasted or from a file. Summarizes it, opens the preview. */
export function ImportForm({ maxRows }: { maxRows: number }) {
  const t = useTranslations('imports');
  const router = useRouter();
  const [text, setText] = useState('');
  const [role, setRole] = useState('');
  const [note, setNote] = useState<FileNote>();
  const [refusal, setRefusal] = useState<string>();
  const [leaving, setLeaving] = useState(false);
  const deferredText = useDeferredValue(text);
  const list = useMemo(() => parseList(deferredText), [deferredText]);
  const { run, pending, problems } = useAction(
    createImport,
    ({ id }) => {
      setLeaving(true);
      router.push(`/owner/employees/import/${id}`);
    },
    { 'too-many': t('tooMany', { most: maxRows }), empty: t('empty') },
  );
  const open = async (file: File | null) => {
    if (!file) return;
    const decoded = decodeFile(new Uint8Array(await file.arrayBuffer()));
    if (typeof decoded === 'string') return setNote({ color: 'red', text: t(decoded, { file: file.name }) });
    setNote({
      color: decoded.encoding === 'windows-1252' ? 'yellow' : 'gray',
      text: t(`encodings.${decoded.encoding}`, { file: file.name }),
    });
    setText(decoded.text);
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const current = parseList(text);
    if ('unclosedQuote' in current) return setRefusal(t('unclosedQuote', { line: current.unclosedQuote }));
    // A person whose number is known keeps the role where the list has none.
    const rows = current.people.map(
      ({ line, name, role: own, staffNumber }): ListRow =>
        staffNumber === undefined ? [line, name, own || role] : [line, name, own || role, staffNumber],
    );
    if (rows.length === 0) return setRefusal(t('empty'));
    if (rows.length > maxRows) return setRefusal(t('tooManyCounted', { count: rows.length, most: maxRows }));
    if (new TextEncoder().encode(JSON.stringify(rows)).length > maxBytes) return setRefusal(t('tooLarge'));
    setRefusal(undefined);
    void run(rows);
  };
  const change = (text: string) => {
    setText(text);
    setRefusal(undefined);
  };
  const problem = refusal ?? problems.form;
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Text className="fine-print">{t('format')}</Text>
        <Text className="fine-print">{t('formatNumber')}</Text>
        <Group>
          <FileButton accept=".csv,.txt,.tsv,text/csv,text/plain" onChange={(file) => void open(file)}>
            {(props) => (
              <Button {...props} variant="default" leftSection={<FileUp />}>
                {t('chooseFile')}
              </Button>
            )}
          </FileButton>
        </Group>
        <div aria-live="polite">
          {note && (
            <Alert color={note.color} className="wrapping">
              {note.text}
            </Alert>
          )}
        </div>
        <Textarea
          label={t('list')}
          description={t('listHint')}
          placeholder={t('example')}
          value={text}
          onChange={(event) => change(event.currentTarget.value)}
          onPaste={(event) => pasteLarge(event, change)}
          rows={12}
          wrap="off"
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 14 } }}
        />
        <Text role="status" size="sm" mih={22}>
          {deferredText.trim() && <ListSummary list={list} />}
        </Text>
        <TextInput
          label={t('defaultRole')}
          description={t('defaultRoleHint')}
          value={role}
          onChange={(event) => setRole(event.currentTarget.value)}
          autoComplete="off"
          maw={420}
        />
        {problem && <Alert color="red">{problem}</Alert>}
        <Group>
          <Button type="submit" loading={pending || leaving}>
            {t('check')}
          </Button>
          {(pending || leaving) && (
            <Text role="status" size="sm">
              {t('checking', { count: 'people' in list ? list.people.length : 0 })}
            </Text>
          )}
        </Group>
      </Stack>
    </form>
  );
}

// Browsers need minutes to paste thousands of lines, but set the text of a field at once.
function pasteLarge(event: ClipboardEvent<HTMLTextAreaElement>, change: (text: string) => void): void {
  const pasted = event.clipboardData.getData('text/plain');
  if (pasted.length < largePasteLength) return;
  event.preventDefault();
  const { value, selectionStart, selectionEnd } = event.currentTarget;
  change(value.slice(0, selectionStart) + pasted + value.slice(selectionEnd));
}

function ListSummary({ list }: { list: ParsedList | { unclosedQuote: number } }) {
  const t = useTranslations('imports');
  if ('unclosedQuote' in list) return t('unclosedQuote', { line: list.unclosedQuote });
  const { people, delimiter, heading } = list;
  const reading = t('reading', {
    count: people.length,
    delimiter: t(`delimiters.${delimiters[delimiter]}`),
    heading: t(heading ? 'withHeading' : 'withoutHeading'),
  });
  return people.some(({ staffNumber }) => staffNumber) ? `${reading} · ${t('withNumbers')}` : reading;
}

type ListRow = [line: number, name: string, role: string, staffNumber?: string];

/** Stores a list to import; the result is the id of its preview. Throws when the service did not judge it. */
async function createImport(rows: ListRow[]): Promise<Result<{ id: string }>> {
  const response = await fetch('/owner/employees/import/previews', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(rows),
  });
  return (await response.json()) as Result<{ id: string }>;
}
