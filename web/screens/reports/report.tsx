// One report by its address: opened in a tab of its own, or saved.

import { Anchor, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { IconDownload, IconExternalLink, IconFileText } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { isClientUser } from '#contract/policy.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { useFileOpening } from '#web/parts/file-actions.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';

export function ReportScreen({ reportId }: { reportId: number }) {
  const user = useSessionUser();
  const { view, download, isOpening, isDownloading } = useFileOpening({ id: reportId });
  return (
    <>
      <PageHeader title={`Report ${reportId}`} />
      <Paper withBorder radius="md" p="xl" maw={560}>
        <Stack gap="md" align="flex-start">
          <Text component="span" c="dimmed" lh={1} aria-hidden>
            <IconFileText size={28} stroke={1.5} />
          </Text>
          <Text>Open the report in a tab of its own, or save it on this device.</Text>
          <Group gap="xs">
            <Button leftSection={<IconExternalLink size={16} aria-hidden />} onClick={view} disabled={isOpening}>
              Open in a new tab
            </Button>
            <Button
              variant="default"
              leftSection={<IconDownload size={16} aria-hidden />}
              onClick={download}
              disabled={isDownloading}
            >
              {isDownloading ? 'Downloading...' : 'Download'}
            </Button>
          </Group>
          <Anchor component={Link} to={isClientUser(user) ? '/client-reports' : '/cpa-dashboard'}>
            All reports
          </Anchor>
        </Stack>
      </Paper>
    </>
  );
}
