'use client';

import { Alert, Button, FileButton, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { FileUp } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ClipboardEvent, type FormEvent, useDeferredValue, useMemo, useState } from 'react';
import { createImportAction } from '#app/owner/employees/import/actions.ts';
import { decodeFile } from '#app/owner/employees/import/decode-file.ts';
import { type ReadList, readList } from '#app/owner/employees/import/read-list.ts';
import { useAction } from '#app/ui/forms/use-action.ts';

// A request for the pages may have 1 MiB.
const mostBytes = 1_000_000;
const largePaste = 20_000;

type FileNote = { color: 'yellow' | 'red' | 'gray'; text: string };

/** Takes a list, pasted or from a file, tells what it reads in it, and leads to the preview. */
export function ImportForm({ most }: { most: number }) {
  const t = useTranslations('imports');
  const router = useRouter();
  const [text, setText] = useState('');
  const [role, setRole] = useState('');
  const [note, setNote] = useState<FileNote>();
  const [refused, setRefused] = useState<string>();
  const [leaving, setLeaving] = useState(false);
  const settled = useDeferredValue(text);
  const read = useMemo(() => readList(settled), [settled]);
  const { run, pending, problems } = useAction(
    createImportAction,
    ({ id }) => {
      setLeaving(true);
      router.push(`/owner/employees/import/${id}`);
    },
    { 'too-many': t('tooMany', { most }), empty: t('empty') },
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
    const now = readList(text);
    if ('unclosedQuote' in now) return setRefused(t('unclosedQuote', { line: now.unclosedQuote }));
    const rows = now.people.map(({ line, name, role: own }): [number, string, string] => [line, name, own || role]);
    if (rows.length === 0) return setRefused(t('empty'));
    if (rows.length > most) return setRefused(t('tooManyCounted', { count: rows.length, most }));
    if (new TextEncoder().encode(JSON.stringify(rows)).length > mostBytes) return setRefused(t('tooLarge'));
    setRefused(undefined);
    void run(rows);
  };
  const change = (text: string) => {
    setText(text);
    setRefused(undefined);
  };
  const problem = refused ?? problems.form;
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Text size="sm" c="dimmed">
          {t('format')}
        </Text>
        <Group>
          <FileButton accept=".csv,.txt,.tsv,text/csv,text/plain" onChange={(file) => void open(file)}>
            {(props) => (
              <Button {...props} variant="default" leftSection={<FileUp aria-hidden size={18} />}>
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
          size="md"
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
          {settled.trim() && <Reading read={read} />}
        </Text>
        <TextInput
          label={t('defaultRole')}
          description={t('defaultRoleHint')}
          value={role}
          onChange={(event) => setRole(event.currentTarget.value)}
          autoComplete="off"
          maw={420}
        />
        {problem && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        <Group>
          <Button type="submit" loading={pending || leaving}>
            {t('check')}
          </Button>
          {(pending || leaving) && (
            <Text role="status" size="sm">
              {t('checking', { count: 'people' in read ? read.people.length : 0 })}
            </Text>
          )}
        </Group>
      </Stack>
    </form>
  );
}

// Browsers take minutes to type thousands of lines into a field, and no time to set its text.
function pasteLarge(event: ClipboardEvent<HTMLTextAreaElement>, change: (text: string) => void): void {
  const pasted = event.clipboardData.getData('text/plain');
  if (pasted.length < largePaste) return;
  event.preventDefault();
  const { value, selectionStart, selectionEnd } = event.currentTarget;
  change(value.slice(0, selectionStart) + pasted + value.slice(selectionEnd));
}

const delimiterNames = { '\t': 'tab', ';': 'semicolon', ',': 'comma' } as const;

function Reading({ read }: { read: ReadList | { unclosedQuote: number } }) {
  const t = useTranslations('imports');
  if ('unclosedQuote' in read) return t('unclosedQuote', { line: read.unclosedQuote });
  const { people, delimiter, heading } = read;
  return t('reading', {
    ...{ count: people.length, delimiter: t(`delimiters.${delimiterNames[delimiter]}`) },
    heading: t(heading ? 'withHeading' : 'withoutHeading'),
  });
}
