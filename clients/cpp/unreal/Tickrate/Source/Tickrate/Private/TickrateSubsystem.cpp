#include "TickrateSubsystem.h"

#include "HttpModule.h"
#include "Interfaces/IHttpResponse.h"
#include "Misc/ConfigCacheIni.h"
#include "Misc/CoreDelegates.h"
#include "Misc/Paths.h"

#include "tickrate.hpp"

namespace
{
/** Requests through Unreal's own HTTP module, which works on every platform that Unreal does. */
class FUnrealTransport final : public tickrate::Transport
{
public:
    void start(tickrate::Request Sent, std::function<void(tickrate::Response)> Done) override
    {
        const auto Call = FHttpModule::Get().CreateRequest();
        Call->SetURL(UTF8_TO_TCHAR(Sent.url.c_str()));
        Call->SetVerb(UTF8_TO_TCHAR(Sent.method.c_str()));
        Call->SetTimeout(static_cast<float>(Sent.timeout_ms) / 1000.0f);
        for (const auto& [Name, Value] : Sent.headers)
        {
            Call->SetHeader(UTF8_TO_TCHAR(Name.c_str()), UTF8_TO_TCHAR(Value.c_str()));
        }
        Call->SetContent(TArray<uint8>(reinterpret_cast<const uint8*>(Sent.body.data()), static_cast<int32>(Sent.body.size())));
        Call->OnProcessRequestComplete().BindLambda([Done](FHttpRequestPtr, FHttpResponsePtr Answer, bool bArrived)
        {
            tickrate::Response Response;
            if (bArrived && Answer.IsValid() && Answer->GetContent().Num() <= static_cast<int32>(tickrate::max_answer_bytes))
            {
                Response.status = Answer->GetResponseCode();
                Response.body.assign(reinterpret_cast<const char*>(Answer->GetContent().GetData()), Answer->GetContent().Num());
                Response.date = TCHAR_TO_UTF8(*Answer->GetHeader(TEXT("Date")));
                const FString Retry = Answer->GetHeader(TEXT("Retry-After"));
                if (Retry.IsNumeric())
                {
                    Response.retry_after_seconds = FCString::Atod(*Retry);
                }
            }
            Done(std::move(Response));
        });
        Call->ProcessRequest();
    }

    void work(std::int64_t) override {}
};
}

void UTickrateSubsystem::Initialize(FSubsystemCollectionBase& Collection)
{
    Super::Initialize(Collection);
    FString Url, Key;
    GConfig->GetString(TEXT("Tickrate"), TEXT("Url"), Url, GGameIni);
    GConfig->GetString(TEXT("Tickrate"), TEXT("Key"), Key, GGameIni);
    tickrate::Options Options;
    Options.url = TCHAR_TO_UTF8(*Url);
    Options.key = TCHAR_TO_UTF8(*Key);
    Options.folder = TCHAR_TO_UTF8(*FPaths::ConvertRelativePathToFull(FPaths::ProjectSavedDir() / TEXT("Tickrate")));
    Options.send = std::make_shared<FUnrealTransport>();
    // Unreal starts HTTP requests on the game thread.
    Options.threads = false;
#if !UE_BUILD_SHIPPING
    Options.debug = tickrate::explain_to([](const std::string& Text) { UE_LOG(LogTemp, Warning, TEXT("%s"), UTF8_TO_TCHAR(Text.c_str())); });
#endif
    ClientPtr = std::make_unique<tickrate::Client>(std::move(Options));
    TickHandle = FTSTicker::GetCoreTicker().AddTicker(FTickerDelegate::CreateLambda([this](float)
    {
        ClientPtr->poll();
        return true;
    }));
    BackgroundHandle = FCoreDelegates::ApplicationWillEnterBackgroundDelegate.AddLambda([this] { ClientPtr->background(); });
}

void UTickrateSubsystem::Deinitialize()
{
    FTSTicker::GetCoreTicker().RemoveTicker(TickHandle);
    FCoreDelegates::ApplicationWillEnterBackgroundDelegate.Remove(BackgroundHandle);
    // Answers come from the game thread, which is here: what is not sent now is sent at the next start.
    ClientPtr->close(0);
    ClientPtr.reset();
    Super::Deinitialize();
}

bool UTickrateSubsystem::Track(const FString& EventType, const TMap<FString, FString>& Members)
{
    const FTCHARToUTF8 Type(*EventType);
    return ClientPtr->track(std::string_view(Type.Get(), Type.Length()), 0, [&Members](tickrate::Writer& Json)
    {
        Json.begin_object();
        for (const TPair<FString, FString>& Member : Members)
        {
            const FTCHARToUTF8 Name(*Member.Key), Value(*Member.Value);
            Json.member(std::string_view(Name.Get(), Name.Length()), std::string_view(Value.Get(), Value.Length()));
        }
        Json.end_object();
    });
}

int32 UTickrateSubsystem::Pending() const { return static_cast<int32>(ClientPtr->pending()); }

void UTickrateSubsystem::SetConsent(bool bGranted)
{
    ClientPtr->set_consent(bGranted ? tickrate::Consent::granted : tickrate::Consent::denied);
}
