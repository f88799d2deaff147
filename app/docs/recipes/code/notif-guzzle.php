<?php

require __DIR__ . '/vendor/autoload.php';

use GuzzleHttp\Client;
use GuzzleHttp\Exception\GuzzleException;
use GuzzleHttp\HandlerStack;
use GuzzleHttp\Middleware;

$passing = [429, 502, 503, 504];
$mayRetry = fn ($retries, $request, $response, $problem) => $retries < 3
    && ($problem || in_array($response->getStatusCode(), $passing));
$wait = fn ($retries, $response) => 1000
    * ((int) ($response ? $response->getHeaderLine('Retry-After') : 0) ?: 5);

$stack = HandlerStack::create();
$stack->push(Middleware::retry($mayRetry, $wait));
$client = new Client([
    'handler' => $stack,
    'timeout' => 30,
    'http_errors' => false,
]);

$fields = ['judul' => $argv[1], 'isi' => $argv[2]];
if (isset($argv[3])) {
    $fields['user_id'] = $argv[3];
}

try {
    $response = $client->post('{{base}}/api/v1/notif.php', [
        'headers' => [
            'X-API-Key' => getenv('NOTIF_KEY'),
            'Accept-Language' => 'id',
            'Idempotency-Key' => bin2hex(random_bytes(16)),
        ],
        'json' => $fields,
    ]);
} catch (GuzzleException $problem) {
    fwrite(STDERR, $problem->getMessage() . PHP_EOL);
    exit(1);
}

$answer = json_decode((string) $response->getBody(), true);
$status = $response->getStatusCode();
if ($status !== 200) {
    $error = $answer['error'] ?? $response->getReasonPhrase();
    fwrite(STDERR, "HTTP $status: $error" . PHP_EOL);
    exit(1);
}
echo "terkirim: {$answer['terkirim']}", PHP_EOL;
