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
            'Accept-Language: id',
            'Idempotency-Key: ' . bin2hex(random_bytes(16)),
        ],
        CURLOPT_HEADERFUNCTION => function ($curl, $line) use (&$wait) {
            if (stripos($line, 'Retry-After:') === 0) {
                $wait = (int) substr($line, 12) ?: 5;
            }
            return strlen($line);
        },
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT => 30,
    ]);

    for ($attempt = 1; ; $attempt++) {
        $body = curl_exec($curl);
        $status = $body === false ? 0 : curl_getinfo($curl, CURLINFO_HTTP_CODE);
        $answer = json_decode((string) $body, true);
        if ($status === 200) {
            return $answer['terkirim'];
        }
        if ($attempt === 4 || !in_array($status, [0, 429, 502, 503, 504])) {
            $error = $answer['error'] ?? curl_error($curl);
            throw new RuntimeException($status ? "HTTP $status: $error" : $error);
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
