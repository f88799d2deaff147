<?php

use GuzzleHttp\Client;
use OpenAPI\Client\Api\NotificationsApi;
use OpenAPI\Client\ApiException;
use OpenAPI\Client\Configuration;
use OpenAPI\Client\Model\Failure;
use OpenAPI\Client\Model\Notification;

require 'GuzzleHttp/autoload.php';
spl_autoload_register(function (string $class): void {
    $prefix = 'OpenAPI\\Client\\';
    if (str_starts_with($class, $prefix)) {
        require __DIR__ . '/client/lib/' . str_replace('\\', '/', substr($class, strlen($prefix))) . '.php';
    }
});

function clientWith(string $key): NotificationsApi
{
    $config = (new Configuration())->setHost(getenv('NOTIF_URL'))->setApiKey('X-API-Key', $key);
    return new NotificationsApi(new Client(), $config);
}

function notification(array $changes): Notification
{
    return new Notification($changes + [
        'judul' => 'Gaji November',
        'isi' => 'Slip gaji sudah tersedia.',
        'user_id' => (int) getenv('NOTIF_EMPLOYEE'),
        'jenis' => 'gaji',
        'url' => '/portal/notifications',
    ]);
}

function printFailure(callable $call): bool
{
    try {
        $call();
        return false;
    } catch (ApiException $exception) {
        $failure = $exception->getResponseObject();
        assert($failure instanceof Failure && $failure->getOk() === false);
        echo $exception->getCode(), ' ', $failure->getCode(), ' ', $failure->getField() ?? '-', "\n";
        return true;
    }
}

$api = clientWith(getenv('NOTIF_KEY'));
$ping = $api->read('ping');
assert($ping->getOk() === true);
echo 'ping: ', $ping->getPerusahaan(), ', ', $ping->getKey(), "\n";
foreach ($api->read('karyawan')->getKaryawan() as $employee) {
    echo 'karyawan: ', $employee->getUserId(), ' ', $employee->getNama(), "\n";
}
$sent = $api->send(notification([]), 'gaji-2026-11');
assert($sent->getOk() === true);
echo 'terkirim: ', $sent->getTerkirim(), "\n";
printFailure(fn () => clientWith('jss_salah')->read('ping'));
printFailure(fn () => $api->send(notification(['judul' => '   '])));
printFailure(fn () => $api->send(notification(['url' => '/.//evil.example'])));
printFailure(fn () => $api->send(notification(['user_id' => 2147483647])));
for ($attempt = 0; $attempt < 130 && !printFailure(fn () => $api->read('ping')); $attempt++) {
}
