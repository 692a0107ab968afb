#pragma once

#include <memory>

#include "CoreMinimal.h"
#include "Containers/Ticker.h"
#include "Subsystems/GameInstanceSubsystem.h"

#include "TickrateSubsystem.generated.h"

namespace tickrate { class Client; }

/** One client for the game instance. Reads `[Tickrate] Url=` and `Key=` from the game's configuration. */
UCLASS()
class TICKRATE_API UTickrateSubsystem : public UGameInstanceSubsystem
{
    GENERATED_BODY()

public:
    virtual void Initialize(FSubsystemCollectionBase& Collection) override;
    virtual void Deinitialize() override;

    /** Records an event with members of text. For typed events, use Client() with the generated header. */
    UFUNCTION(BlueprintCallable, Category = "Tickrate")
    bool Track(const FString& EventType, const TMap<FString, FString>& Members);

    /** Events that are recorded and not yet stored by the server. */
    UFUNCTION(BlueprintPure, Category = "Tickrate")
    int32 Pending() const;

    UFUNCTION(BlueprintCallable, Category = "Tickrate")
    void SetConsent(bool bGranted);

    tickrate::Client& Client() { return *ClientPtr; }

private:
    std::unique_ptr<tickrate::Client> ClientPtr;
    FTSTicker::FDelegateHandle TickHandle;
    FDelegateHandle BackgroundHandle;
};
