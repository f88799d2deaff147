'use client';

import { Alert, Button, FileButton, Group, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { FileUp } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ClipboardEvent, type FormEvent, useDeferredValue, useMemo, useRef, useState, useTransition } from 'react';
import { ColumnChoice } from '#app/owner/employees/import/column-choice.tsx';
import {
  areShouted,
  type Columns,
  type CountedSheet,
  calmName,
  chooseSheet,
  countSheet,
  findTable,
  isRounded,
  listPeople,
} from '#app/owner/employees/import/find-people.ts';
import { type FileProblem, openFile, parseText } from '#app/owner/employees/import/parse-list.ts';
import type { Result } from '#app/ui/forms/fields.ts';
import { useAction } from '#app/ui/forms/use-action.ts';

// The service accepts a list of at most 1 MiB.
const maxBytes = 1_000_000;
const largePasteLength = 20_000;
const fileTypes =
  '.xlsx,.xlsm,.xls,.ods,.csv,.txt,.tsv,text/csv,text/plain,application/vnd.ms-excel,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

type Opened = { name: string; sheets: CountedSheet[]; at: number };
type FileNote = FileProblem | 'readingFile' | 'read' | 'guessed';
const noteColors: Partial<Record<FileNote, string>> = { readingFile: 'gray', read: 'gray', guessed: 'yellow' };

/** The form for a list to import, pasted or from a file. Shows who is read from which column, opens the preview. */
export function ImportForm({ maxRows }: { maxRows: number }) {
  const t = useTranslations('imports');
  const router = useRouter();
  const [text, setText] = useState('');
  const [file, setFile] = useState<Opened>();
  const [chosen, setChosen] = useState<Partial<Columns>>({});
  const [calm, setCalm] = useState(true);
  const [role, setRole] = useState('');
  const [note, setNote] = useState<{ file: string; says: FileNote }>();
  const [refusal, setRefusal] = useState<string>();
  const forget = useRef<() => void>(null);
  const [pasting, setPasting] = useState(false);
  const [leaving, startLeaving] = useTransition();
  const deferredText = useDeferredValue(text);
  const list = useMemo(() => readList(deferredText, file, chosen), [deferredText, file, chosen]);
  const { run, pending, problems } = useAction(
    createImport,
    ({ id }) => startLeaving(() => router.push(`/owner/employees/import/${id}`)),
    { 'too-many': t('tooMany', { most: maxRows }), empty: t('empty') },
  );
  const edit = (text: string) => {
    setText(text);
    setRefusal(undefined);
  };
  // Another list may have its columns in another order.
  const show = (text: string, opened?: Opened) => {
    edit(text);
    setFile(opened);
    setChosen({});
  };
  const paste = (event: ClipboardEvent<HTMLTextAreaElement>) => {
    const { value, selectionStart, selectionEnd } = event.currentTarget;
    if (selectionEnd - selectionStart === value.length) setChosen({});
    const pasted = event.clipboardData.getData('text/plain');
    if (pasted.length < largePasteLength) return;
    // Browsers need minutes to paste thousands of lines, but set the text of a field at once.
    event.preventDefault();
    edit(value.slice(0, selectionStart) + pasted + value.slice(selectionEnd));
  };
  const open = async (picked: File | null) => {
    if (!picked) return;
    // The same file can be chosen again.
    forget.current?.();
    const say = (says: FileNote) => setNote({ file: picked.name, says });
    say('readingFile');
    const opened = await openFile(picked).catch(() => 'damaged' as const);
    if (typeof opened === 'string') {
      if (file) show('');
      return say(opened);
    }
    say(opened.isGuessed ? 'guessed' : 'read');
    // A text that cannot be divided can be corrected here.
    if ('text' in opened) return show(opened.text);
    const sheets = opened.sheets.map(countSheet);
    show('', { name: picked.name, sheets, at: chooseSheet(sheets) });
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const current = readList(text, file, chosen);
    if ('unclosedQuote' in current) return setRefusal(t('unclosedQuote', { line: current.unclosedQuote }));
    const { people } = current;
    const rounded = people.find(({ staffNumber = '' }) => isRounded(staffNumber))?.staffNumber;
    if (rounded) return setRefusal(t('rounded', { value: rounded }));
    // A person whose number is known keeps the role where the list has none.
    const isCalm = calm && areShouted(people);
    const rows = people.map(({ line, name: written, role: own, staffNumber }): ListRow => {
      const name = isCalm ? calmName(written) : written;
      return staffNumber === undefined ? [line, name, own || role] : [line, name, own || role, staffNumber];
    });
    if (rows.length === 0) return setRefusal(t('empty'));
    if (rows.length > maxRows) return setRefusal(t('tooManyCounted', { count: rows.length, most: maxRows }));
    if (new TextEncoder().encode(JSON.stringify(rows)).length > maxBytes) return setRefusal(t('tooLarge'));
    setRefusal(undefined);
    void run(rows);
  };
  const problem = refusal ?? problems.form;
  const reading = note?.says === 'readingFile';
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {!file && text === '' && <Text className="fine-print">{t('format')}</Text>}
        {!file && text === '' && <Text className="fine-print">{t('formatNumber')}</Text>}
        <Group>
          <FileButton accept={fileTypes} disabled={reading} onChange={(picked) => void open(picked)} resetRef={forget}>
            {(props) => (
              <Button {...props} variant={file ? 'default' : 'light'} leftSection={<FileUp />} aria-disabled={reading}>
                {t(file ? 'chooseAnother' : 'chooseFile')}
              </Button>
            )}
          </FileButton>
          {file && (
            <Button
              variant="subtle"
              onClick={() => {
                show('');
                setNote(undefined);
                setPasting(true);
              }}
            >
              {t('pasteInstead')}
            </Button>
          )}
        </Group>
        <div aria-live="polite">
          {note && (
            <Alert color={noteColors[note.says] ?? 'red'} className="wrapping">
              {t(note.says, { file: note.file })}
            </Alert>
          )}
        </div>
        {file ? (
          file.sheets.length > 1 && (
            <NativeSelect
              label={t('sheet')}
              description={t('sheetHint')}
              value={file.at}
              onChange={({ currentTarget }) => show('', { ...file, at: Number(currentTarget.value) })}
              data={file.sheets.map(({ name, count }, value) => ({
                value: String(value),
                label: t('sheetNamed', { name, count }),
              }))}
              maw={420}
            />
          )
        ) : (
          <Textarea
            label={t('list')}
            description={t('listHint')}
            placeholder={t('example')}
            value={text}
            autoFocus={pasting}
            onChange={(event) => edit(event.currentTarget.value)}
            onPaste={paste}
            rows={text === '' ? 10 : 5}
            wrap="off"
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 14 } }}
          />
        )}
        <Text role="status" size="sm" mih={22}>
          {(file || deferredText.trim()) && <ListSummary list={list} />}
        </Text>
        {'table' in list && list.table.rows.length > 0 && (
          <ColumnChoice
            list={list}
            defaultRole={role}
            calm={calm}
            onCalm={setCalm}
            onChoose={(field, column) => setChosen({ ...chosen, [field]: column })}
          />
        )}
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

function readList(text: string, file: Opened | undefined, chosen: Partial<Columns>) {
  const sheet = file?.sheets[file.at];
  if (sheet) return listPeople(sheet.table, chosen);
  const parsed = parseText(text);
  if ('unclosedQuote' in parsed) return parsed;
  return listPeople(findTable(parsed), chosen);
}

function ListSummary({ list }: { list: ReturnType<typeof readList> }) {
  const t = useTranslations('imports');
  if ('unclosedQuote' in list) return t('unclosedQuote', { line: list.unclosedQuote });
  const { people, table } = list;
  const heading = table.headingLine === null ? t('withoutHeading') : t('headingAt', { line: table.headingLine });
  return `${t('reading', { count: people.length })} · ${heading}`;
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
