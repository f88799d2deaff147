<?php

function notify(array $fields): int
{
    $wait = 5;
    $curl = curl_init('{{base}}/api/v1/notif.php');
    curl_setopt_array($curl, [
        CURLOPT_POSTFIELDS => json_encode($fields, JSON_THROW_ON_ERROR),
        CURLOPT_HTTPHEADER => [
            'X-API-Key: ' . getenv('NOTIF_KEY'),
            'Content-Type: application/json',
            'Idempotency-Key: ' . bin2hex(random_bytes(16)),
        ],
        CURLOPT_HEADERFUNCTION => function ($curl, $line) use (&$wait) {
            if (stripos($line, 'Retry-After:') === 0) {
                $wait = (int) substr($line, 12);
            }
            return strlen($line);
        },
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT => 15,
    ]);

    for ($attempt = 1; ; $attempt++) {
        $answer = json_decode((string) curl_exec($curl), true);
        $status = curl_errno($curl) ? 0 : curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
        if ($status === 200) {
            return $answer['terkirim'];
        }
        if ($attempt === 4 || !in_array($status, [0, 429, 502, 503, 504], true)) {
            throw new RuntimeException($status ? "HTTP $status: " . ($answer['error'] ?? '') : curl_error($curl));
        }
        sleep($wait);
    }
}

try {
    $fields = ['judul' => $argv[1], 'isi' => $argv[2]];
    if (isset($argv[3])) {
        $fields['user_id'] = $argv[3];
    }
    $sent = notify($fields);
    echo "terkirim: $sent", PHP_EOL;
} catch (Exception $problem) {
    fwrite(STDERR, $problem->getMessage() . PHP_EOL);
    exit(1);
}
