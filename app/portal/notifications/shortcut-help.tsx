import { Kbd, Table, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { Dialog } from '#app/ui/dialogs/dialog.tsx';
import { TextLink } from '#app/ui/text/links.tsx';

export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  const t = useTranslations('shortcuts');
  const rows = [
    ['j', t('next')],
    ['k', t('previous')],
    ['Enter', t('open')],
    ['r', t('toggle')],
    ['F6', t('popUp')],
    ['Esc', t('closePopUp')],
    ['?', t('help')],
  ];
  return (
    <Dialog onClose={onClose} title={t('title')}>
      <Table>
        <Table.Tbody>
          {rows.map(([key, text]) => (
            <Table.Tr key={key}>
              <Table.Td w={80}>
                <Kbd>{key}</Kbd>
              </Table.Td>
              <Table.Td>{text}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Text size="sm">
        {t.rich('switchOff', {
          settings: (chunks) => <TextLink href="/portal/settings#pop-ups">{chunks}</TextLink>,
        })}
      </Text>
    </Dialog>
  );
}
